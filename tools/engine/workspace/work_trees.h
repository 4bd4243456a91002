#pragma once
// WorkTrees: the folders in a store that belong to the work trees and workspaces that share it.
//
//   trees/<name>         the data of one workspace: its leases, and its staging folder
//   trees/<name>/place   the location of the workspace
//
// A folder is named after the first path of its workspace. It is found again by the inode and birth time of
// the workspace's folder. So a moved workspace retains its data and what snapshots prove there, and a
// workspace with two paths, as in a container, has one lock. A write that a crash interrupted in one
// workspace is recovered by the first process that opens another one, because both may contain the same
// files. One in a copied workspace is recovered when the copy is opened.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/git/repository/repository.h"
#include "tools/engine/store/snapshots/snapshot_store.h"

namespace snapgen::core {

struct WorkspaceLocation {
  std::string root;     // Absolute.
  std::string git_dir;  // Relative to the repository's common folder: "", or "worktrees/name".
  std::string prefix;   // The workspace's folder within its work tree: "", or a path with a final slash.
  // Inode and birth time of the folder, which survive a move and differ in a copy. Empty: unknown.
  std::string folder_identity;

  bool operator==(const WorkspaceLocation&) const = default;
};

// Inode and birth time of a folder; empty if it does not exist, or the file system has no birth times.
std::string folder_identity_of(const std::string& folder);

// The workspace's path within its work tree: "", or a path with a final slash. `root`: the workspace's
// absolute path without symlinks.
std::string workspace_prefix(const Repository& repository, const std::string& root);

// The location of the workspace `root`. `store`: see store_folder_of(). A store in the workspace belongs to
// that folder alone, even if a repository includes it later: the prefix is then "".
WorkspaceLocation workspace_location(const Repository& repository, const std::string& root,
                                     const std::string& store);

// The absolute path of a workspace's folder in the store, which may not exist yet.
std::string tree_folder(const std::string& store, const WorkspaceLocation& own);

// The location as snapshots record it. `tree_folder`: from tree_folder().
SnapshotOrigin snapshot_origin_of(const WorkspaceLocation& location, const std::string& tree_folder);

// The path of the internal state of the workspace `root`, which may not exist yet. It is in the repository's
// common folder, or in `.snapback/store` if there is no repository or was none when it was created.
std::string store_folder_of(const Repository& repository, const std::string& root);
// The path of the store that belongs to the workspace alone.
std::string own_store_path(const std::string& root);

// A sentence for clients that miss snapshots: this workspace has written a separate store, which is not
// used as `store` because git tracks it. Empty if there is none.
std::string own_store_sentence(const std::string& store, const std::string& root);

// The name of a work tree in texts and arguments: "main", or git's name of a linked work tree.
std::string work_tree_name(const WorkspaceLocation& location);

// A work tree of the repository that is not the workspace's.
struct OtherTree {
  std::string name;  // As work_tree_name().
  std::string root;  // Its last known folder.

  // Whether a caller may mean it by `text`: its name or its folder.
  bool is_named(std::string_view text) const { return text == name || text == root; }
};

// Returns for each snapshot the work tree that it was taken of, or nullopt if that is the work tree `own`,
// whose name is `own_name`, or unknown, or none: a patched snapshot was taken of no work tree.
std::vector<std::optional<OtherTree>> other_trees_of(const std::string& store, const SnapshotOrigin& own,
                                                     const std::string& own_name,
                                                     const std::vector<SnapshotNote>& notes);

// Files that could not be put back when a crashed write was undone, because another process wrote there:
// absolute paths in the workspace's folder, sorted.
std::vector<std::string> unrestored_files(const std::string& tree_folder);

// A write of another workspace that uses the store, which a crash interrupted.
struct UnfinishedWrite {
  std::string root;         // The workspace's last location; empty if unknown.
  std::string tree_folder;  // The folder of the workspace in the store: trees/<tree>.
};

// The unfinished writes in the store, except those of the workspace `own`.
std::vector<UnfinishedWrite> unfinished_writes(const std::string& store, const WorkspaceLocation& own);

class WorkTrees {
 public:
  // `store`: see store_folder_of(). `own` is the workspace that is being opened.
  WorkTrees(std::string store, WorkspaceLocation own)
      : store_(std::move(store)), own_(std::move(own)), folder_(tree_folder(store_, own_)) {}

  const std::string& own_folder() const { return folder_; }
  const WorkspaceLocation& own_location() const { return own_; }
  std::string own_name() const { return work_tree_name(own_); }

  // The roots of other work trees of the same folder that exist and use this store, by name.
  std::map<std::string, std::string, std::less<>> other_roots(const Environment& environment) const;

  // Records the location of the own workspace. Errors: unavailable.
  Result<Unit> record_location() const;

  // If the own workspace has no folder yet, takes that of the same workspace at a path that no longer exists.
  void adopt_folder_of_moved_workspace() const;

  // Recovers unfinished writes in other folders of the store, unless a running process owns them:
  // - in workspaces that still exist at their location and use this store;
  // - in folders of the own workspace under a path that no longer exists or is another repository now: it was
  //   moved, or copied with its store. Only what was provably written for these very files is done.
  //
  // The rest waits until its own workspace is opened. `root`: of the own workspace. `undos`: of the store.
  void recover_others(const Environment& environment, const Root& root, UndoStore& undos) const;

 private:
  bool exists(const WorkspaceLocation& location, const Environment& environment) const;
  bool is_abandoned(const WorkspaceLocation& location, const Environment& environment) const;
  // Recovers the write that is recorded for `tree`, a former path of this workspace or a copy, in `root`.
  void recover_into(const std::string& tree, const Root& root, UndoStore& undos) const;

  std::string store_;
  WorkspaceLocation own_;
  std::string folder_;
};

}  // namespace snapgen::core
