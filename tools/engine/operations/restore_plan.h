#pragma once
// RestorePlan: the differences between the work tree and a snapshot, and the writes that restore it.
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/walk/file_list.h"
#include "tools/engine/operations/change_worktree.h"
#include "tools/engine/operations/restore.h"
#include "tools/engine/store/snapshots/snapshot_store.h"

namespace snapgen::core {

struct RestorePlan {
  RestoreAnswer answer;
  ChangePlan change;                        // Without the contents, see read_contents().
  std::map<std::string, BlobId> blobs;      // The files to write, by path.
  std::vector<std::string> affected_paths;  // Paths that are replaced, deleted or get another mode, sorted.
  std::set<std::string> unlisted;  // Those of `affected_paths` that are not listed, such as ignored files.
  std::shared_ptr<const FileList> files;  // The listing that the plan is based on.
  // The snapshot has only the files of one change: no other files are inspected or captured.
  bool is_of_undo_snapshot = false;
};

// Which files to examine for writes through a memory mapping, which the watch cannot see.
enum class ExaminedFiles : std::uint8_t {
  all,              // All files.
  outside_folders,  // Except those in folders among the paths, which a capture examines later.
};

// `paths`: as outermost_paths() returns them; "" is everything. Errors: invalid_argument, permission_denied,
// too_large (see restore()); those of the view.
Result<RestorePlan> plan_restore(Workspace& workspace, const Snapshot& snapshot,
                                 const std::vector<std::string>& paths, ExaminedFiles examined,
                                 const std::stop_token& stop);

// Reads the contents of the files to write from the store: one per write of the plan, empty for writes
// without content. Errors: as BlobStore::get(); too_large.
Result<std::vector<std::string>> read_contents(BlobStore& blobs, const RestorePlan& plan,
                                               const std::stop_token& stop);

}  // namespace snapgen::core
