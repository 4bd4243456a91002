#pragma once
// ChangeSet: which files were changed, and which of the names they define.
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/snapshot_store.h"

namespace snapgen::core {

class Workspace;

struct ChangedName {
  std::string name;
  bool gone = false;  // It was defined before, and is no more.

  bool operator==(const ChangedName&) const = default;
};

struct ChangedFile {
  std::string path;
  bool gone = false;
  bool added = false;
  std::vector<ChangedName> names;  // That changed lines define; sorted, each once.
};

struct ChangeSet {
  std::vector<ChangedFile> files;  // By path.
  bool truncated = false;          // There are more.
};

// From `before` to the live tree, or from HEAD if there is none; untracked files are added ones. `paths`:
// only these files and folders, or everything. Errors: as diff_live_with_snapshot() and diff_live_with_git().
Result<ChangeSet> changes_to_live(Workspace& workspace, const Snapshot* before,
                                  const std::vector<std::string>& paths, const std::stop_token& stop);

// The name that a line of source defines (a function, a type, a constant), or empty. By what definitions look
// like in the languages of the import graph; a line says too little to be sure.
std::string_view defined_name(std::string_view line);

}  // namespace snapgen::core
