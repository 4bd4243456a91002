#pragma once
// ChangeSet: the files that were changed, and the names that their changed lines define.
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/snapshots/snapshot_store.h"

namespace snapgen::core {

class Workspace;

struct ChangedName {
  std::string name;
  bool is_deleted = false;  // The name was defined before the change, and no longer is.
  // Something else may have the name, too. It is gone only if no source has the word.
  bool is_ambiguous = false;

  bool operator==(const ChangedName&) const = default;
};

struct LineRange {
  std::int64_t first = 0;  // The first line of a file is 1.
  std::int64_t last = 0;   // Is in the range.
};

struct ChangedFile {
  std::string path;
  bool is_deleted = false;
  bool is_added = false;
  std::vector<ChangedName> defined_names;  // Names that changed lines define; sorted, unique.
  std::vector<LineRange> new_lines;        // The new lines, ascending, of a file that is not a program.
};

struct ChangeSet {
  std::vector<ChangedFile> files;  // The changed files, sorted by path.
  bool truncated = false;          // Files or names are missing, because there are too many.
};

// Compares `before`, or HEAD if it is null, with the work tree; untracked files count as added. `paths`
// limits the comparison to these files and folders; if it is empty, everything is compared. Errors: as
// diff_live_with_snapshot() and diff_live_with_git().
Result<ChangeSet> change_set_since(Workspace& workspace, const Snapshot* before,
                                   const std::vector<std::string>& paths, const std::stop_token& stop);

}  // namespace snapgen::core
