#pragma once
// RecordFolders: where the records of the work are, which are tasks, learnings, violations and reverts.
//
// They belong to the repository: its store has them, for all work trees. `.snapback/` of each work tree has
// copies for people and other programs.
#include <string>

namespace snapgen::core {

class Workspace;
struct WorkspaceLocation;

struct RecordFolders {
  std::string root;     // The workspace, with the copies.
  std::string records;  // The records, in `records/` of the store.
  std::string tree;     // The folder trees/<tree> of the store, with the state of the copies.
  std::string name;     // The name of the work tree, as work_tree_name().
};

// Returns the folders of a workspace. A folder within the work tree has records of its own, because their
// paths are relative to it. `store` is from store_folder_of(), `tree` from tree_folder().
RecordFolders record_folders(const std::string& store, const WorkspaceLocation& location,
                             const std::string& tree);
RecordFolders record_folders_of(const Workspace& workspace);

}  // namespace snapgen::core
