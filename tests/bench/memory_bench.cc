// Measures how long recalling learnings takes at the start of a task: without learnings, and with 100,000.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "tools/work/memory/memory.h"
#include "tools/work/memory/records.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

// A workspace with the given number of learnings, removed at the end.
class Taught {
 public:
  explicit Taught(std::int64_t count) {
    std::string name = (fs::temp_directory_path() / "snapgen-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
    fs::create_directories(path_ + "/.snapback/learnings");
    std::ofstream out(path_ + "/.snapback/learnings/user-learnings.jsonl");
    constexpr const char* things[] = {"auth",  "cache",     "parser", "token",
                                      "login", "migration", "test",   "index"};
    for (std::int64_t i = 0; i < count; ++i) {
      Learning one{.kind = LearningKind::pitfall,
                   .trigger = std::string("fix ") + things[i % 8] + " of module " + std::to_string(i % 997),
                   .action = "check case " + std::to_string(i) + " before " + things[(i / 8) % 8],
                   .files = {"src/m" + std::to_string(i % 500) + "/" + things[i % 8] + ".ts"},
                   .at_ms = i};
      one.id = learning_id(one);
      out << json_line(one) << "\n";
    }
  }
  Taught(Taught&&) = delete;
  ~Taught() { fs::remove_all(path_); }

  RecordFolders folders() const {
    const std::string store = path_ + "/.snapback/store";
    return {.root = path_, .records = store + "/records/whole", .tree = store + "/trees/a", .name = "main"};
  }

 private:
  std::string path_;
};

void recall(benchmark::State& state) {
  const Taught taught(state.range(0));
  LearningStore memory(taught.folders());
  const RecallQuery query{.text = "fix the login of module 17, with its tests",
                          .keywords = {"auth", "token", "case"},
                          .files = {"src/m17/auth.ts", "src/m18/login.ts"}};
  if (!memory.recall(query)) return state.SkipWithError("no recall");
  for (auto _ : state) {
    Result<RecallAnswer> found = memory.recall(query);
    benchmark::DoNotOptimize(found);
  }
}
BENCHMARK(recall)->Arg(0)->Arg(100)->Arg(100'000)->Unit(benchmark::kMicrosecond);

void index_rebuilt(benchmark::State& state) {
  const Taught taught(state.range(0));
  for (auto _ : state) {
    LearningStore memory(taught.folders());
    for (const char* suffix : {"", "-wal", "-shm"})
      fs::remove(taught.folders().records + "/memory.sqlite" + suffix);
    if (!memory.recall({.text = "auth"})) return state.SkipWithError("no recall");
  }
}
BENCHMARK(index_rebuilt)->Arg(100'000)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace snapgen::core

BENCHMARK_MAIN();
