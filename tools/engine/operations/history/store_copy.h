#pragma once
// StoreCopy: a folder of the user with hard links to the files of a store and of one history, which survive
// the removal of the workspace with its store. `snap recover` restores from it (recover.h).
//
//   workspace          the absolute path of the workspace
//   origin             the identity of the store, and its generation when removed files were last unlinked
//   blobs/ snapshots/  links to the files of the store; on another file system, copies
//   history/log        a link to the log of the history
//
// Segments and the log are appended to, and a link shows that at once. Files are unlinked only after a
// garbage collection, which the generation of the store shows: a deletion of the store removes no link.
// Another store at the same path gets another folder.
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
  // `copies`: as user_copies_folder(); empty: there is no copy. `workspace` must outlive this.
  StoreCopy(std::string copies, const Workspace& workspace);

  // Links what is new, at most once a minute. Errors: as update().
  Result<Unit> update_if_due();
  // Links what is new. Does nothing if the store does not exist. Errors: unavailable.
  Result<Unit> update();

 private:
  struct Origin {
    std::string identity;
    std::uint64_t generation = 0;
  };
  Result<Unit> prepare(Origin& origin, const std::string& history);
  bool is_copy_of(const Origin& recorded, const Origin& present, const std::string& history) const;
  Result<Unit> write_origin(const Origin& origin) const;

  std::string copies_;
  const Workspace& workspace_;
  std::string folder_;
  std::int64_t updated_ms_ = 0;
};

struct StoredCopy {
  std::string name;            // Such as "project-0123456789abcdef".
  std::string folder;          // Its absolute path.
  std::string workspace;       // The path of the workspace.
  std::int64_t last_ms = 0;    // When the history was last appended to.
  bool has_workspace = false;  // The workspace still exists, and this is its present copy.
};

// The copies of the user, by the path of the workspace, the latest first.
std::vector<StoredCopy> stored_copies(const std::string& copies);

// The size of the files of a copy; links share them with the store.
std::uint64_t bytes_of_copy(const StoredCopy& copy);

// Removes copies of workspaces that do not exist, and that were not used for 60 days.
void remove_unused_copies(const std::string& copies, std::int64_t now_ms);

}  // namespace snapgen::core
