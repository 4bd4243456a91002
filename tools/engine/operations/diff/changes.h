#pragma once
// The files that differ between a snapshot and another one, or the work tree.
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/diff/path_scope.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/workspace/live_view.h"

namespace snapgen::core {

class Workspace;

enum class ChangeStatus : std::uint8_t {
  added,
  deleted,
  modified,      // The content differs, and perhaps also the mode.
  mode_changed,  // Only the executable bit differs.
  renamed,       // The content is the same; perhaps another mode.
  type_changed,  // A file became a symlink, or the reverse.
};

struct FileChange {
  std::string path;
  ChangeStatus status = ChangeStatus::modified;
  std::string renamed_from;  // The old path of a rename.
};

struct ChangesQuery {
  std::vector<std::string> paths;  // Files or folders; empty: everything.
  // Pairs deleted and added files with the same content, like git's exact renames. Each added file, in path
  // order, takes the first remaining deleted one, preferring one with the same name.
  bool detect_renames = false;
  std::size_t changes_max = 1000;
};

struct ChangesAnswer {
  std::vector<FileChange> changes;  // Sorted by path; at most changes_max.
  std::int64_t total = 0;           // The number of all changes.
  // The files that were not compared, because the live ones cannot be read; sorted.
  std::vector<std::string> unreadable;
  SkippedCounts skipped;
};

// Compares two snapshots. A file that only one of them has is a change only if the other one proves that it
// did not exist: a snapshot of some paths says nothing about the others. `skipped.not_captured` counts the
// other files. Errors: not_found (a path that neither side has); cancelled.
Result<ChangesAnswer> changes_between(Workspace& workspace, const Snapshot& before, const Snapshot& after,
                                      const ChangesQuery& query, const std::stop_token& stop);

// Compares a snapshot with the live files, and touches all compared ones. Reads a file only if it has the
// captured size and its stat does not prove its content. A file that cannot be read is in `unreadable` and
// counted in `skipped`, unless its size proves a difference. Errors: as changes_between(); repo_changed, and
// those of the view.
Result<ChangesAnswer> changes_since(Workspace& workspace, const Snapshot& before, LiveView& view,
                                    const ChangesQuery& query);

}  // namespace snapgen::core
