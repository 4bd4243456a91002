#include "tools/work/memory/record_folders.h"

#include <cstddef>

#include "tools/engine/base/hash.h"
#include "tools/engine/workspace/work_trees.h"
#include "tools/engine/workspace/workspace_parts.h"

namespace snapgen::core {

RecordFolders record_folders(const std::string& store, const WorkspaceLocation& location,
                             const std::string& tree) {
  constexpr std::size_t name_digits = 16;
  const std::string within =
      location.prefix.empty() ? "whole" : "in-" + sha256_hex(location.prefix).substr(0, name_digits);
  return {.root = location.root,
          .records = store + "/records/" + within,
          .tree = tree,
          .name = work_tree_name(location)};
}

RecordFolders record_folders_of(const Workspace& workspace) {
  return record_folders(store_folder_of(workspace), work_trees_of(workspace).own_location(),
                        tree_folder_of(workspace));
}

}  // namespace snapgen::core
