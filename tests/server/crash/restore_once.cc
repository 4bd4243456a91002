// restore-once WORKSPACE SNAPSHOT: a program that tests kill. Prints "restored", or the error's message.
#include <cstdio>

#include "tools/engine/operations/restore.h"
#include "tools/engine/workspace/workspace.h"

int main(int count, char** values) {
  using namespace snapgen;
  if (count != 3) return 2;
  Result<std::unique_ptr<core::Workspace>> workspace = core::Workspace::open(values[1]);
  Result<Unit> done = workspace ? Unit{} : Result<Unit>(workspace.error());
  if (workspace) {
    Result<core::WithLease<core::RestoreAnswer>> restored =
        core::restore(**workspace, {.snapshot_id = values[2], .paths = {}, .dry_run = false}, {});
    if (!restored) done = std::move(restored).error();
  }
  std::printf("%s\n", done ? "restored" : done.error().message.c_str());
  return 0;
}
