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

// What a restore brings back: a snapshot, or a state of the history in the form of one.
struct RestoreSource {
  std::shared_ptr<const Snapshot> snapshot;
  SnapshotScope scope;   // Proves which files did not exist.
  Privacy privacy;       // The permissions of created files; also the exact ones of existing files.
  bool is_undo = false;  // An undo snapshot, which has only the files of one change.
  // Files that were provably created after the state, whatever their birth time: a move does not change it.
  std::set<std::string, std::less<>> created_later = {};
  std::string name = {};  // For messages: "snap_ab8e276bbd", or "the state before m12".
};

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
Result<RestorePlan> plan_restore(Workspace& workspace, const RestoreSource& source,
                                 const std::vector<std::string>& paths, ExaminedFiles examined,
                                 const std::stop_token& stop);

// Makes the restore of a source, which is of this folder. `query`: its snapshot_id and tree are not used.
// Errors: as restore(), but for those of the snapshot.
Result<WithLease<RestoreAnswer>> restore_source(Workspace& workspace, const RestoreSource& source,
                                                const RestoreQuery& query, const std::stop_token& stop);

// Reads the contents of the files to write from the store: one per write of the plan, empty for writes
// without content. Errors: as BlobStore::get(); too_large.
Result<std::vector<std::string>> read_contents(BlobStore& blobs, const RestorePlan& plan,
                                               const std::stop_token& stop);

}  // namespace snapgen::core
