// Measures validation with the plan of a schema, and the generator of validators:
// build/tests/bench/schema_bench.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <benchmark/benchmark.h>

#include "codegen/emit/compile.h"
#include "runtime/json/schema/evaluate.h"
#include "tests/json/compile_text.h"

namespace snapgen::json {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The 133 bytes of codegen_bench, and their schema.
constexpr std::string_view small_call =
    R"({"mode":"start","task":"fix the auth bug","files":["src/auth.ts","src/session.ts"],"keywords":["jwt","token","login"],"compact":true})";

std::string small_schema() {
  return text_of(fs::path(SNAPGEN_SOURCE_ROOT) / "tests/codegen/golden/types/small_call.json");
}

// 100 objects in 14 KB.
constexpr std::string_view message_schema =
    R"({"type":"object","required":["entries"],"additionalProperties":false,"properties":{"entries":{"type":"array","items":
    {"type":"object","required":["path","type","size"],"additionalProperties":false,"properties":{"path":{"type":"string",
    "minLength":1,"maxLength":4096},"type":{"enum":["file","folder","link"]},"size":{"type":"integer","minimum":0},
    "blob":{"type":"string","pattern":"^[0-9a-f]+$"},"executable":{"type":"boolean"}}}}}})";

std::string message() {
  std::string out = "{\"entries\":[";
  for (int i = 0; i < 100; ++i) {
    const std::string number = std::to_string(1000 + i);
    out += std::string(i ? "," : "") + R"({"path":"src/components/part_)" + number +
           R"(/index.test.tsx","type":"file","size":)" + number +
           R"(,"blob":"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa","executable":false})";
  }
  return out + "]}";
}

void judge(benchmark::State& state, const std::string& schema, std::string_view text, bool with_parsing) {
  const auto plan = compile_plan(schema);
  if (!plan) return state.SkipWithError(plan.error().message.c_str());
  Tree tree(text);
  bool all = true;
  for (auto _ : state) {
    if (with_parsing) tree.parse(text);
    all = fits((*plan)->plan(), tree.root()) && all;
  }
  if (!all) state.SkipWithError("the text does not fit");
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}

void parse_and_judge_small_call(benchmark::State& state) { judge(state, small_schema(), small_call, true); }
BENCHMARK(parse_and_judge_small_call);
void judge_small_call(benchmark::State& state) { judge(state, small_schema(), small_call, false); }
BENCHMARK(judge_small_call);
void parse_and_judge_message(benchmark::State& state) {
  judge(state, std::string(message_schema), message(), true);
}
BENCHMARK(parse_and_judge_message);
void judge_message(benchmark::State& state) { judge(state, std::string(message_schema), message(), false); }
BENCHMARK(judge_message);

using Generator = codegen::CompiledFiles(std::vector<codegen::SourceText>, const codegen::ValidatorSettings&);

// The whole schema of MCP, 155 definitions, from its text to C++.
void generate_from_mcp(benchmark::State& state, Generator& generate) {
  const char* shared = std::getenv("SNAPGEN_SHARED");
  const fs::path folder = shared ? fs::path(shared) : fs::path(SNAPGEN_SOURCE_ROOT) / ".." / "shared";
  const std::string text = text_of(folder / "mcp/schema/2026-07-28/schema.json");
  if (text.empty()) return state.SkipWithError("the schema of MCP is not on this machine");
  for (auto _ : state) {
    const codegen::CompiledFiles made =
        generate({{.path = "schema.json", .text = text}}, {.name_space = "mcp", .bases = {}});
    if (made.files.size() != 2) state.SkipWithError("it was not generated");
  }
}

void generate_validators_of_mcp(benchmark::State& state) {
  generate_from_mcp(state, codegen::compile_validators);
}
BENCHMARK(generate_validators_of_mcp)->Unit(benchmark::kMillisecond);
void generate_structs_of_mcp(benchmark::State& state) { generate_from_mcp(state, codegen::compile_structs); }
BENCHMARK(generate_structs_of_mcp)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace snapgen::json

BENCHMARK_MAIN();
