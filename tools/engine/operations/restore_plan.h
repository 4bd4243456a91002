#pragma once
// RestorePlan: by what the live tree differs from a snapshot, and what restoring does about it.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/file_list.h"
#include "tools/engine/operations/edit.h"
#include "tools/engine/operations/restore.h"
#include "tools/engine/store/snapshot_store.h"

namespace snapgen::core {

struct RestorePlan {
  RestoreAnswer answer;
  EditPlan edit;                          // Without the contents, see read_contents().
  std::map<std::string, BlobId> blobs;    // Of the files to write, by path.
  std::vector<std::string> endangered;    // What is replaced, deleted or gets another mode, sorted.
  std::set<std::string> unlisted;         // Those of them that no listing has: git ignores them, for one.
  std::shared_ptr<const FileList> files;  // The listing that the plan was made of.
  // The snapshot holds only what one change replaced: no other file is inspected or captured.
  bool of_undo = false;
};

// What to do about files that may have been written without the watch's notice, through a mapping.
enum class Looking : std::uint8_t {
  all,        // Each is looked at.
  not_below,  // Those below folders among the paths are left to a capture of these folders, which looks at
              // them.
};

// `paths`: outermost ones; "" is everything. Errors: as restore().
Result<RestorePlan> plan_restore(Workspace& workspace, const Snapshot& snapshot,
                                 const std::vector<std::string>& paths, Looking looking,
                                 const std::stop_token& stop);

// The contents of all files to be written, from the store: one for each of the plan's writes, empty for those
// that write none. Errors: as BlobStore::get(); too_large.
Result<std::vector<std::string>> read_contents(BlobStore& blobs, const RestorePlan& plan,
                                               const std::stop_token& stop);

}  // namespace snapgen::core
