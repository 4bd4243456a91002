// Restores and patches 100 of 1,000 files of a repository, durably, in this process, beside `git apply` of
// the same patch.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>

#include "tools/engine/operations/apply_patch.h"
#include "tools/engine/operations/capture.h"
#include "tools/engine/operations/restore.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr int files = 1000;
constexpr int changed = 100;

class Repository {
 public:
  Repository() {
    std::string name = (std::filesystem::temp_directory_path() / "snapgen-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    folder_ = std::filesystem::canonical(name).string();
    for (int i = 0; i < files; ++i) {
      std::filesystem::path file = path(i);
      std::filesystem::create_directories(file.parent_path());
      std::ofstream(file) << content(i, 0);
    }
    shell("git init -q . && git add -A && git -c user.name=b -c user.email=b commit -qm saved");
    edit(1);
    shell("git diff > .git/forth && git diff -R > .git/back && git checkout -q .");
    workspace_ = *Workspace::open(folder_);
    snapshot_ = create_snapshot(*workspace_, {.lease_id = {}, .paths = {{""}}, .message = {}}, {})->id();
  }
  Repository(Repository&&) = delete;
  ~Repository() {
    workspace_.reset();  // The workspace may still be removing replaced files.
    std::filesystem::remove_all(folder_);
  }

  void edit(int version) {
    for (int i = 0; i < changed; ++i) std::ofstream(path(i * (files / changed))) << content(i, version);
  }
  void shell(const std::string& command) const {
    if (std::system(("cd '" + folder_ + "' && " + command).c_str()) != 0) std::abort();
  }
  std::string read(const std::string& name) const {
    std::ifstream in(folder_ + "/" + name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  Workspace& workspace() { return *workspace_; }
  const std::string& snapshot() const { return snapshot_; }

 private:
  std::string path(int i) const {
    return folder_ + "/folder" + std::to_string(i % 20) + "/file" + std::to_string(i) + ".txt";
  }
  static std::string content(int i, int version) {
    std::string text;
    for (int line = 0; line < 200; ++line) {
      text += "line " + std::to_string(line) + " of file " + std::to_string(i);
      text += line == 100 ? " version " + std::to_string(version) + "\n" : " as it always was\n";
    }
    return text;
  }

  std::string folder_;
  std::unique_ptr<Workspace> workspace_;
  std::string snapshot_;
};

void restore_100(benchmark::State& state) {
  Repository repository;
  int version = 1;
  for (auto _ : state) {
    state.PauseTiming();
    repository.edit(++version);
    state.ResumeTiming();
    Result<WithLease<RestoreAnswer>> done = restore(
        repository.workspace(), {.snapshot_id = repository.snapshot(), .paths = {}, .dry_run = false}, {});
    if (!done || done->value.changes.size() != changed) state.SkipWithError("it was not restored");
  }
}
BENCHMARK(restore_100)->Unit(benchmark::kMillisecond)->UseRealTime();

void apply_100(benchmark::State& state) {
  Repository repository;
  PatchQuery forth{.patch = repository.read(".git/forth")};
  PatchQuery back{.patch = repository.read(".git/back")};
  bool there = false;
  for (auto _ : state) {
    Result<ChangeResult<PatchAnswer>> done =
        apply_patch(repository.workspace(), std::nullopt, there ? back : forth, {});
    if (!done || !done->value.is_applied) state.SkipWithError("it was not applied");
    there = !there;
  }
}
BENCHMARK(apply_100)->Unit(benchmark::kMillisecond)->UseRealTime();

void git_apply_100(benchmark::State& state) {
  Repository repository;
  bool there = false;
  for (auto _ : state) {
    repository.shell(there ? "git apply .git/back" : "git apply .git/forth");
    there = !there;
  }
}
BENCHMARK(git_apply_100)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace snapgen::core

BENCHMARK_MAIN();
