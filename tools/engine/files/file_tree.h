#pragma once
// FileTree reads a tree of files by path: the work tree (write/inspected_worktree.h) or a snapshot
// (read/snapshot_view.h). Plans of changes are made from it. FileView (read/view.h) lists and searches.
//
// Paths are relative to the root. Their parents must not be symlinks; plan_patch() checks every parent first.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/file_mode.h"

namespace snapgen::core {

struct TreeNode {
  enum class Kind : std::uint8_t { missing, file, symlink, folder, other };
  Kind kind = Kind::missing;
  bool executable = false;
  std::int64_t size = 0;  // The size of a file, in bytes.
};

// Returns the mode of a node that is a file or a symlink.
inline FileMode mode_of(const TreeNode& node) {
  if (node.kind == TreeNode::Kind::symlink) return FileMode::symlink;
  return node.executable ? FileMode::executable : FileMode::plain;
}

class FileTree {
 public:
  virtual ~FileTree() = default;

  // Returns what is at `path`; a symlink is not followed. Kind::missing if a parent folder does not exist.
  virtual Result<TreeNode> node_at(std::string_view path) = 0;
  // Returns the bytes of a file, or the target of a symlink.
  virtual Result<std::string> read(std::string_view path) = 0;
  // Returns the names of the entries of a folder.
  virtual Result<std::vector<std::string>> names_in(std::string_view folder) = 0;
};

}  // namespace snapgen::core
