// Measures the JSON layer with a small tool call and with a long text: build/tests/bench/json_bench.
#include <string>

#include <benchmark/benchmark.h>

#include "runtime/json/values.h"
#include "tests/json/tool_call.h"

namespace snapgen::json {
namespace {

constexpr std::string_view tool_call =
    R"({"mode":"start","task":"fix auth bug","files":["auth.ts"],"keywords":["jwt"],"compact":false})";

// About 75 KB in the form in which a model or an editor sends it: lines of code with quotes, backslashes and
// tabs, and an emoji in every third line, half of them escaped.
std::string long_text() {
  std::string text = "\"";
  for (int line = 0; text.size() < 75'000; ++line) {
    text += R"(\tconst message = \"saved to C:\\work\\file\" + name; // line )" + std::to_string(line);
    if (line % 6 == 0) text += " \xF0\x9F\x98\x80 done";
    if (line % 6 == 3) text += R"( \ud83d\ude80 sent)";
    text += "\\n";
  }
  return text + "\"";
}

void read_tool_call_fresh(benchmark::State& state) {
  for (auto _ : state) {
    fixture::ToolCall call;
    Reader in(tool_call);
    read(in, call);
    in.end();
    benchmark::DoNotOptimize(in.ok());
    benchmark::DoNotOptimize(call);
  }
}
BENCHMARK(read_tool_call_fresh);

void read_tool_call_reused(benchmark::State& state) {
  fixture::ToolCall call;
  for (auto _ : state) {
    Reader in(tool_call);
    read(in, call);
    in.end();
    benchmark::DoNotOptimize(in.ok());
    benchmark::DoNotOptimize(call);
  }
}
BENCHMARK(read_tool_call_reused);

void skip_tool_call(benchmark::State& state) {
  for (auto _ : state) {
    Reader in(tool_call);
    in.skip();
    in.end();
    benchmark::DoNotOptimize(in.ok());
  }
}
BENCHMARK(skip_tool_call);

void write_tool_call(benchmark::State& state) {
  fixture::ToolCall call;
  Reader in(tool_call);
  read(in, call);
  std::string out;
  for (auto _ : state) {
    out.clear();
    Writer writer(out);
    write(writer, call);
    benchmark::DoNotOptimize(out);
  }
}
BENCHMARK(write_tool_call);

void canonical_tool_call(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(canonical(tool_call));
}
BENCHMARK(canonical_tool_call);

void validate_long_text(benchmark::State& state) {
  const std::string text = long_text();
  for (auto _ : state) benchmark::DoNotOptimize(valid_utf8(text));
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}
BENCHMARK(validate_long_text);

void skip_long_text(benchmark::State& state) {
  const std::string text = long_text();
  for (auto _ : state) {
    Reader in(text);
    in.skip();
    benchmark::DoNotOptimize(in.ok());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}
BENCHMARK(skip_long_text);

void read_long_text_fresh(benchmark::State& state) {
  const std::string text = long_text();
  for (auto _ : state) {
    std::string out;
    Reader in(text);
    in.string(out);
    benchmark::DoNotOptimize(out);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}
BENCHMARK(read_long_text_fresh);

void read_long_text_reused(benchmark::State& state) {
  const std::string text = long_text();
  std::string out;
  for (auto _ : state) {
    Reader in(text);
    in.string(out);
    benchmark::DoNotOptimize(out);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}
BENCHMARK(read_long_text_reused);

void write_long_text(benchmark::State& state) {
  std::string text;
  const std::string written = long_text();
  Reader in(written);
  in.string(text);
  std::string out;
  for (auto _ : state) {
    out.clear();
    Writer(out).string(text);
    benchmark::DoNotOptimize(out);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}
BENCHMARK(write_long_text);

void read_numbers(benchmark::State& state) {
  std::string text = "[";
  for (int i = 0; i < 1000; ++i) text += std::to_string(i * 37) + (i % 2 == 0 ? ".25," : ",");
  text.back() = ']';
  std::vector<double> out;
  for (auto _ : state) {
    Reader in(text);
    read(in, out);
    benchmark::DoNotOptimize(out);
  }
  state.SetItemsProcessed(1000 * state.iterations());
}
BENCHMARK(read_numbers);

void write_numbers(benchmark::State& state) {
  std::vector<double> numbers;
  for (int i = 0; i < 1000; ++i) numbers.push_back(i * 37 + (i % 2 == 0 ? 0.3 : 0));
  std::string out;
  for (auto _ : state) {
    out.clear();
    Writer writer(out);
    write(writer, numbers);
    benchmark::DoNotOptimize(out);
  }
  state.SetItemsProcessed(1000 * state.iterations());
}
BENCHMARK(write_numbers);

}  // namespace
}  // namespace snapgen::json

BENCHMARK_MAIN();
