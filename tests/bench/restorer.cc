// restorer WORKSPACE: restores snapshots of the workspace one after the other, as a long-lived server would.
// It first prints "watched" or "unwatched". For each snapshot id on standard input it prints the elapsed
// seconds, the number of changed files, and the number of unchanged ones. For an empty line it reads the
// status and prints "seen".
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

#include "tools/engine/operations/restore.h"
#include "tools/engine/workspace/workspace.h"

int main(int count, char** values) {
  using namespace snapgen;
  if (count != 2) return 2;
  Result<std::unique_ptr<core::Workspace>> opened = core::Workspace::open(values[1]);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().message.c_str());
    return 1;
  }
  core::Workspace& workspace = **opened;
  workspace.allow_watching({.log_line = {}, .ends_with_process = true});
  bool asked = static_cast<bool>(workspace.status({}));
  std::printf("%s\n", asked && workspace.live_tree().wait_for_watch() ? "watched" : "unwatched");
  std::fflush(stdout);
  for (std::string id; std::getline(std::cin, id);) {
    if (id.empty()) {
      std::printf("%s\n", workspace.status({}) ? "seen" : "failed");
      std::fflush(stdout);
      continue;
    }
    auto begin = std::chrono::steady_clock::now();
    Result<core::WithLease<core::RestoreAnswer>> restored =
        core::restore(workspace, {.snapshot_id = id, .paths = {}, .dry_run = false}, {});
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (!restored) {
      std::fprintf(stderr, "%s\n", restored.error().message.c_str());
      return 1;
    }
    std::printf("%.9f %zu %lld\n", took.count(), restored->value.changes.size(),
                static_cast<long long>(restored->value.unchanged_files));
    std::fflush(stdout);
  }
  return 0;
}
