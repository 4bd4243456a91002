#pragma once
// WorkTrees: the folders in a store of the work trees, and of the workspaces within them, that share it.
//
//   trees/<name>         what is kept of one workspace: its leases, and what it is about to write
//   trees/<name>/place   where the workspace is
//
// A folder is named by the path that the workspace had first, and known again by what its folder keeps
// wherever it is moved or seen: so one that was moved keeps its folder, and with it what snapshots prove
// there, and one that is seen at two paths, as in a container, has one lock. What a crash left half written
// in one workspace is recovered by whoever opens another one first, for they may hold the same files; and
// what it left in one that was copied, by who opens the copy.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/git/repository.h"
#include "tools/engine/store/snapshot_store.h"

namespace snapgen::core {

struct WorkspaceLocation {
  std::string root;     // Absolute.
  std::string git_dir;  // Seen from the repository's common folder: "", or "worktrees/name".
  std::string prefix;   // Of the workspace within its work tree: "", or a folder with its final slash.
  // What its folder keeps where it is moved to, and no copy has: inode and birth. Empty: nobody can tell.
  std::string mark;

  bool operator==(const WorkspaceLocation&) const = default;
};

// The workspace's path within its work tree: "", or a folder with its final slash. `root`: of the workspace,
// absolute, without symlinks.
std::string prefix_in(const Repository& repository, const std::string& root);

// `store`: see store_folder_of(). One that is in the workspace is of that folder alone, whatever repository
// comes to hold it later: the place within it is "".
WorkspaceLocation workspace_location(const Repository& repository, const std::string& root,
                                     const std::string& store);

// The whole path of a workspace's folder, which may not be there yet.
std::string tree_folder(const std::string& store, const WorkspaceLocation& own);

// The place as snapshots note it. `tree_folder`: as above.
SnapshotOrigin place_of(const WorkspaceLocation& place, const std::string& tree_folder);

// Where the internal state of the workspace `root` is, whether or not it was made yet: in the repository's
// common folder, or in `.snapback/store` where there is no repository, or was none when it was made.
std::string store_folder_of(const Repository& repository, const std::string& root);
// Of a workspace that has its own.
std::string own_store(const std::string& root);

// A sentence for who misses snapshots: the workspace's own store, which git tracks and which is therefore not
// `store`, has been written by this workspace. Empty: it was not.
std::string told_of_own_store(const std::string& store, const std::string& root);

// What the undoing of a crashed write could not put back in a workspace, because somebody had written there
// since: the absolute paths of files in the workspace's folder, sorted.
std::vector<std::string> put_aside(const std::string& tree_folder);

// A workspace's folder in which a write was begun and not done.
struct CutShort {
  std::string root;  // Where the workspace was; empty if its place cannot be read.
  std::string tree_folder;
};

// Those of the store, but for the own one.
std::vector<CutShort> cut_short(const std::string& store, const WorkspaceLocation& own);

class WorkTrees {
 public:
  // `store`: see store_folder_of(). What is called `own` is the workspace that is being opened.
  WorkTrees(std::string store, WorkspaceLocation own)
      : store_(std::move(store)), own_(std::move(own)), folder_(tree_folder(store_, own_)) {}

  const std::string& own_folder() const { return folder_; }

  // Notes where the own workspace is. Errors: unavailable.
  Result<Unit> note_place() const;

  // Where the own workspace has no folder yet: takes that of the same one, if it stood elsewhere and is not
  // there any more.
  void take_along() const;

  // Settles what was begun and not done in other folders of the store, unless somebody is at it:
  // - of workspaces that still stand where they stood, and keep their state in this store;
  // - of what is the own workspace itself, seen at a path that is gone or is another repository's now: copied
  //   with its store, or moved. There only what is proven to have been written for these very files is done.
  // What cannot be recovered waits for its own next start. `root`: of the own workspace. `undos`: of the
  // store.
  void recover_others(const Environment& environment, const Root& root, const UndoStore& undos) const;

 private:
  bool exists(const WorkspaceLocation& place, const Environment& environment) const;
  bool is_left(const WorkspaceLocation& place, const Environment& environment) const;
  void recover_here(const std::string& tree, const Root& root, const UndoStore& undos) const;

  std::string store_;
  WorkspaceLocation own_;
  std::string folder_;
};

}  // namespace snapgen::core
