// Measures generated code and the generator itself: build/tests/bench/codegen_bench.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "codegen/emit/compile.h"
#include "runtime/json/values.h"
#include "tests/bench/peers/simdjson_call.h"
#include "tests/codegen/golden/tools/list_entries.h"
#include "tests/codegen/golden/types/small_call.h"

namespace {

using golden::SmallCall;
using snapgen::json::Reader;
using snapgen::json::Writer;

// 133 bytes, as a client would send it.
constexpr std::string_view small_call =
    R"({"mode":"start","task":"fix the auth bug","files":["src/auth.ts","src/session.ts"],"keywords":["jwt","token","login"],"compact":true})";
static_assert(small_call.size() == 133);

void read_small_call_fresh(benchmark::State& state) {
  for (auto _ : state) {
    SmallCall call;
    Reader in(small_call);
    read(in, call);
    in.end();
    benchmark::DoNotOptimize(in.ok());
    benchmark::DoNotOptimize(call);
  }
}
BENCHMARK(read_small_call_fresh);

void read_small_call_reused(benchmark::State& state) {
  SmallCall call;
  for (auto _ : state) {
    Reader in(small_call);
    read(in, call);
    in.end();
    benchmark::DoNotOptimize(in.ok());
    benchmark::DoNotOptimize(call);
  }
}
BENCHMARK(read_small_call_reused);

void simdjson_small_call(benchmark::State& state, bool fresh) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2")) return state.SkipWithError("this processor has no AVX2");
#endif
  peers::SimdjsonCall peer(small_call);
  SmallCall kept;
  for (auto _ : state) {
    SmallCall made;
    SmallCall& call = fresh ? made : kept;
    if (!peer.read(call)) state.SkipWithError("the call does not fit");
    benchmark::DoNotOptimize(call);
  }
}
BENCHMARK_CAPTURE(simdjson_small_call, fresh, true);
BENCHMARK_CAPTURE(simdjson_small_call, reused, false);

// The server's work for each message, whatever its content.
void utf8_of_small_call(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(snapgen::json::valid_utf8(small_call));
}
BENCHMARK(utf8_of_small_call);

void write_small_call(benchmark::State& state) {
  SmallCall call;
  Reader in(small_call);
  read(in, call);
  std::string out;
  for (auto _ : state) {
    out.clear();
    Writer writer(out);
    write(writer, call);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(write_small_call);

// 100 objects in 14 KB.
std::string message() {
  golden::ListEntriesWorktree out;
  out.lease_id = "lease";
  for (int i = 0; i < 100; ++i)
    out.entries.push_back({.path = "packages/server/src/components/administration/settings/part_" +
                                   std::to_string(1000 + i) + "/integration/index.component.test.tsx",
                           .type = golden::ListEntriesEntriesItemType::file,
                           .size = 1000 + i});
  return snapgen::json::to_json(out);
}

void read_message_fresh(benchmark::State& state) {
  const std::string text = message();
  for (auto _ : state) {
    golden::ListEntriesWorktree out;
    Reader in(text);
    read(in, out);
    in.end();
    if (!in.ok()) state.SkipWithError("the message does not fit");
    benchmark::DoNotOptimize(out);
  }
  state.counters["bytes"] = static_cast<double>(text.size());
}
BENCHMARK(read_message_fresh);

void read_message_reused(benchmark::State& state) {
  const std::string text = message();
  golden::ListEntriesWorktree out;
  for (auto _ : state) {
    Reader in(text);
    read(in, out);
    in.end();
    benchmark::DoNotOptimize(in.ok());
    benchmark::DoNotOptimize(out);
  }
}
BENCHMARK(read_message_reused);

void utf8_of_message(benchmark::State& state) {
  const std::string text = message();
  for (auto _ : state) benchmark::DoNotOptimize(snapgen::json::valid_utf8(text));
}
BENCHMARK(utf8_of_message);

void write_message(benchmark::State& state) {
  const std::string text = message();
  golden::ListEntriesWorktree value;
  Reader in(text);
  read(in, value);
  std::string out;
  for (auto _ : state) {
    out.clear();
    Writer writer(out);
    write(writer, value);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(write_message);

std::vector<snapgen::codegen::SourceText> schema_files(const std::filesystem::path& root,
                                                       const std::string& folder) {
  std::vector<snapgen::codegen::SourceText> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
    if (entry.path().extension() != ".json" || entry.path().parent_path().filename() == "meta") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    found.push_back({.path = entry.path().lexically_relative(root).generic_string(),
                     .text = {std::istreambuf_iterator<char>(file), {}}});
  }
  return found;
}

// All stages, from the texts of all schema files of the server to the generated code.
void compile_all_schemas(benchmark::State& state) {
  const std::vector<snapgen::codegen::SourceText> files = schema_files(SNAPGEN_SOURCE_ROOT, "schemas");
  const snapgen::codegen::Settings settings = {.schemas = "schemas", .name_space = "bench", .namespaces = {}};
  for (auto _ : state) {
    const snapgen::codegen::CompiledFiles compiled = snapgen::codegen::compile(files, settings);
    if (!compiled.findings.empty()) state.SkipWithError(compiled.findings.front().c_str());
    benchmark::DoNotOptimize(compiled.files.size());
  }
  state.counters["files"] = static_cast<double>(files.size());
}
BENCHMARK(compile_all_schemas)->Unit(benchmark::kMillisecond);

// From the same texts to TypeScript, and to both forms of the reference pages.
void typescript_of_all_schemas(benchmark::State& state) {
  const std::vector<snapgen::codegen::SourceText> files = schema_files(SNAPGEN_SOURCE_ROOT, "schemas");
  const snapgen::codegen::Settings settings = {.schemas = "schemas", .name_space = "bench", .namespaces = {}};
  for (auto _ : state) {
    const snapgen::codegen::CompiledFiles compiled = snapgen::codegen::compile_typescript(files, settings);
    if (!compiled.findings.empty()) state.SkipWithError(compiled.findings.front().c_str());
    benchmark::DoNotOptimize(compiled.files.size());
  }
}
BENCHMARK(typescript_of_all_schemas)->Unit(benchmark::kMillisecond);

void pages_of_all_schemas(benchmark::State& state) {
  const std::vector<snapgen::codegen::SourceText> files = schema_files(SNAPGEN_SOURCE_ROOT, "schemas");
  const snapgen::codegen::Settings settings = {.schemas = "schemas", .name_space = "bench", .namespaces = {}};
  for (auto _ : state) {
    const snapgen::codegen::CompiledFiles compiled =
        snapgen::codegen::compile_pages(files, {}, settings, "bench");
    if (!compiled.findings.empty()) state.SkipWithError(compiled.findings.front().c_str());
    benchmark::DoNotOptimize(compiled.files.size());
  }
}
BENCHMARK(pages_of_all_schemas)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
