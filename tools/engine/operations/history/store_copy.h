#pragma once
// StoreCopy: a folder of the user with hard links to the files of a store and of one history, which survive
// the removal of the workspace with its store. `snap recover` restores from it (recover.h).
//
//   workspace          the absolute path of the workspace
//   store              the absolute path of the store
//   git_dir            the absolute path of git's folder of a linked work tree, which git deletes with the
//   tree origin             the identity of the store, and its generation when removed files were last
//   unlinked blobs/ snapshots/  links to the files of the store; on another file system, copies history/log
//   a link to the log of the history
//
// Segments and the log are appended to, and a link shows that at once. Files are unlinked only after a
// garbage collection, which the generation of the store shows: a deletion of the store removes no link.
// Another store at the same path gets another folder. All copies together take limited space: links to a
// store that exists take none.
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

class Workspace;

// The folder of all copies of the user, $XDG_STATE_HOME/snapgen/copies; empty if there is no home folder.
std::string user_copies_folder();

// Not thread-safe.
class StoreCopy {
 public:
  // `copies`: as user_copies_folder(); empty: there is no copy. `workspace` must outlive this. `bytes_max`:
  // of all copies; they also take at most a fifth of the free space.
  StoreCopy(std::string copies, const Workspace& workspace, std::int64_t bytes_max);

  // Links what is new, at most once a minute, and removes copies that are not needed. Errors: as update().
  Result<Unit> update_if_due();
  // Links what is new, unless another process does so. Does nothing if the store does not exist. Errors:
  // unavailable.
  Result<Unit> update();

  struct Origin {
    std::string identity;  // Of the store.
    std::uint64_t generation = 0;
  };

 private:
  Result<Unit> prepare(Origin& origin, const std::string& history);
  bool is_copy_of(const std::string& history) const;
  Result<Unit> write_origin(const Origin& origin) const;

  std::string copies_;
  const Workspace& workspace_;
  std::int64_t bytes_max_;
  std::string folder_;
  std::int64_t updated_ms_ = 0;
};

struct StoredCopy {
  std::string name;            // Such as "project-0123456789abcdef".
  std::string folder;          // Its absolute path.
  std::string workspace;       // The path of the workspace.
  std::int64_t last_ms = 0;    // When the history was last appended to.
  bool has_workspace = false;  // The workspace still exists with the store, and this is its present copy.
  bool is_pruned = false;      // The store exists, but git has deleted the linked work tree.
};

// The copies of the user, by the path of the workspace, the latest first.
std::vector<StoredCopy> stored_copies(const std::string& copies);

// The size of the files of a copy; links share them with the store.
std::uint64_t bytes_of_copy(const StoredCopy& copy);

// Deletes a copy. Errors: unavailable.
Result<Unit> remove_copy(const StoredCopy& copy);

// Removes copies whose workspaces have been gone for 60 days, or that git has pruned. If all copies take more
// than `bytes_max`, removes the oldest of those whose workspaces are gone, but not the latest within a week.
void remove_unneeded_copies(const std::string& copies, std::int64_t bytes_max, std::int64_t now_ms);

}  // namespace snapgen::core
