#pragma once
// The amount of changes in the work tree since a snapshot.
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/snapshots/snapshot_store.h"

namespace snapgen::core {

class Workspace;

struct WorkSummary {
  std::vector<std::string> files;  // The differing files, sorted.
  std::int64_t added_lines = 0;    // Number of added lines.
  std::int64_t removed_lines = 0;
  bool truncated = false;               // A limit was reached; the counts are incomplete.
  std::vector<std::string> unreadable;  // Files that were not compared, because they cannot be read.
};
// The changes from the snapshot to the work tree. Errors: as diff_live_with_snapshot().
Result<WorkSummary> work_summary_since(Workspace& workspace, const Snapshot& before,
                                       const std::stop_token& stop);

// Returns "1 file cannot be read, and was not compared: a.txt."; empty without any.
std::string unreadable_sentence(const std::vector<std::string>& paths);

}  // namespace snapgen::core
