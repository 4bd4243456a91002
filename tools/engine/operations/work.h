#pragma once
// What a piece of work amounts to: which files are uncommitted, and how much has changed since a snapshot.
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/snapshot_store.h"

namespace snapgen::core {

class Workspace;

// The workspace's files that `git status` names, sorted; those in untracked folders one by one. Deleted files
// and submodules are among them. Errors: as Workspace::status() and files().
Result<std::vector<std::string>> dirty_files(Workspace& workspace, const std::stop_token& stop);
// The same by a status that is known.
Result<std::vector<std::string>> dirty_files(Workspace& workspace, const Status& status,
                                             const std::stop_token& stop);

// How many of `paths` hold, right now, what some snapshot keeps. Paths where no file stands are not counted.
// What is larger than found_bytes_max counts as kept only if it is known without reading it.
struct Protection {
  std::int64_t files = 0;
  std::int64_t covered = 0;
  std::vector<std::string> uncovered;  // A few of the others.

  // 100 if there are no files.
  std::int64_t percent() const { return files == 0 ? 100 : covered * 100 / files; }
};
// Errors: cancelled.
Result<Protection> protection_of(Workspace& workspace, const std::vector<std::string>& paths,
                                 const std::stop_token& stop);

struct WorkDone {
  std::vector<std::string> files;  // That differ, sorted.
  std::int64_t added = 0;          // Lines.
  std::int64_t removed = 0;
  bool truncated = false;  // There are more than were counted.
};
// From the snapshot to the live tree. Errors: as diff_live_with_snapshot().
Result<WorkDone> work_since(Workspace& workspace, const Snapshot& before, const std::stop_token& stop);

}  // namespace snapgen::core
