// The fingerprint of a clean work tree of 10,000 files, beside `git status` on the same tree.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/git/walk/files.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

void run(const std::string& command) {
  if (std::system(command.c_str()) != 0) std::abort();
}

// 200 folders of 50 committed files; created once, removed at the end.
class Tree {
 public:
  Tree() {
    std::string name = (fs::temp_directory_path() / "snapgen-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
    for (int folder = 0; folder < 200; ++folder) {
      const fs::path in = path_ + "/src/m" + std::to_string(folder % 20) + "/d" + std::to_string(folder);
      fs::create_directories(in);
      for (int file = 0; file < 50; ++file) {
        std::ofstream out(in / ("f" + std::to_string(file) + ".c"));
        for (int line = 0; line < 20; ++line)
          out << "int f" << folder << '_' << file << "() { return " << line << "; }\n";
      }
    }
    // An old time, so that no index entry is racy and no file must be read.
    run("cd '" + path_ +
        "' && find . -exec touch -d 2020-01-01 {} + && git init -q && git add -A && "
        "git -c user.name=b -c user.email=b@example.com commit -qm b && git status > /dev/null");
  }
  Tree(Tree&&) = delete;
  ~Tree() { fs::remove_all(path_); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

const std::string& tree() {
  static const Tree made;
  return made.path();
}

void fingerprint_again(benchmark::State& state) {
  const Result<Repository> repository = Repository::open(tree());
  for (auto _ : state) {
    const Result<GitStatus> status = read_status(*repository);
    if (!status || status->engine != StatusEngine::own || !status->porcelain_output.empty())
      state.SkipWithError("not clean");
  }
}
BENCHMARK(fingerprint_again)->Unit(benchmark::kMillisecond)->UseRealTime();

void fingerprint_first(benchmark::State& state) {
  for (auto _ : state) {
    const Result<Repository> repository = Repository::open(tree());
    benchmark::DoNotOptimize(fingerprint(*repository));
  }
}
BENCHMARK(fingerprint_first)->Unit(benchmark::kMillisecond)->UseRealTime();

void list_all_files(benchmark::State& state) {
  const Result<Repository> repository = Repository::open(tree());
  for (auto _ : state) benchmark::DoNotOptimize(list_files(*repository));
}
BENCHMARK(list_all_files)->Unit(benchmark::kMillisecond)->UseRealTime();

void git_status_process(benchmark::State& state) {
  const std::string command =
      "cd '" + tree() + "' && exec git --no-optional-locks status --porcelain=v1 -z > /dev/null";
  for (auto _ : state) run(command);
}
BENCHMARK(git_status_process)->Unit(benchmark::kMillisecond)->UseRealTime();

void git_fingerprint_processes(benchmark::State& state) {
  const std::string command = "cd '" + tree() +
                              "' && git rev-parse HEAD > /dev/null && git write-tree > /dev/null && "
                              "git --no-optional-locks status --porcelain=v1 -z > /dev/null";
  for (auto _ : state) run(command);
}
BENCHMARK(git_fingerprint_processes)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace snapgen::core

BENCHMARK_MAIN();
