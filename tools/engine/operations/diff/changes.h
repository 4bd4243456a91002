#pragma once
// Which files differ between a snapshot and another one, or the live tree.
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/diff/scope.h"
#include "tools/engine/store/snapshot_store.h"
#include "tools/engine/workspace/live_view.h"

namespace snapgen::core {

class Workspace;

enum class ChangeStatus : std::uint8_t {
  added,
  deleted,
  modified,      // Its content; perhaps its mode too.
  mode_changed,  // Its executable bit alone.
  renamed,       // With the same content; perhaps another mode.
  type_changed,  // A file became a symlink, or the reverse.
};

struct FileChange {
  std::string path;
  ChangeStatus status = ChangeStatus::modified;
  std::string from;  // Of a rename.
};

struct ChangesQuery {
  std::vector<std::string> paths;  // Files or folders; none: everything.
  // Pairs deleted with added files of the same content, as git does for what is wholly alike: added files in
  // the order of their paths each take the first deleted one that is left, one of the same name before
  // others.
  bool detect_renames = false;
  std::size_t changes_max = 1000;
};

struct ChangesAnswer {
  std::vector<FileChange> changes;  // By path; at most changes_max.
  std::int64_t total = 0;           // All changes there are.
  Skipped skipped;                  // Of the live tree.
};

// Errors: not_found (a path that neither side has); cancelled.
Result<ChangesAnswer> changes_between(const Snapshot& before, const Snapshot& after,
                                      const ChangesQuery& query, const std::stop_token& stop);

// Reads only files that have the captured size and whose stat proves nothing; touches all that were compared.
// A file that may not be read is counted in `skipped` unless its size tells. Errors: as above; repo_changed,
// and those of the view.
Result<ChangesAnswer> changes_since(Workspace& workspace, const Snapshot& before, LiveView& view,
                                    const ChangesQuery& query);

}  // namespace snapgen::core
