#pragma once
// delete_path deletes a file, symlink or folder of the work tree.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/change_worktree.h"

namespace snapgen::core {

class Workspace;

struct DeleteQuery {
  std::string path;
  bool recursive = false;         // Delete a folder with everything in it.
  bool discard_contents = false;  // Do not store the contents.
};

struct RemainingPath {
  enum class Reason : std::uint8_t { nested_repository, reserved };
  std::string path;
  Reason reason = Reason::nested_repository;
};

struct DeleteAnswer {
  std::vector<std::string> deleted;  // Files and folders, sorted.
  std::vector<RemainingPath>
      remaining;  // The remaining entries of a folder, sorted; their parent folders remain too.
};

// Deletes a symlink, not its target. Repositories in a deleted folder (also submodules), `.git` and the store
// remain. Errors: not_found; invalid_argument (the root; a folder that is not empty, without `recursive`);
// permission_denied (the path is a repository; a mount point in it; outside, reserved); as WorktreeChange.
Result<ChangeResult<DeleteAnswer>> delete_path(Workspace& workspace,
                                               const std::optional<std::string>& lease_id,
                                               const DeleteQuery& query, const std::stop_token& stop);

}  // namespace snapgen::core
