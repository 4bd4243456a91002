#include "tools/work/memory/record_folders.h"

#include <cstddef>

#include "tools/engine/base/hash.h"
#include "tools/engine/workspace/workspace.h"

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
  return record_folders(workspace.store_folder(), workspace.work_trees().own_location(),
                        workspace.tree_folder());
}

}  // namespace snapgen::core
