#pragma once
// PathConflicts checks whether the paths of a patch are possible, in the tree before the patch and after it.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/files/file_tree.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Why a file cannot be at its path.
struct Obstacle {
  RejectReason reason = RejectReason::exists;
  std::string message;  // One sentence.
};

std::string_view noun(TreeNode::Kind kind);  // For example "a folder".

class PathConflicts {
 public:
  // The arguments must outlive this object.
  PathConflicts(const Patch& patch, FileTree& tree);

  // Paths whose file is removed or replaced, and paths that have a file because of the patch.
  const std::set<std::string_view>& removed_paths() const { return removed_paths_; }
  const std::set<std::string_view>& created_paths() const { return created_paths_; }

  // Returns the current node at `path`. Beyond a symlink it is missing, and `beyond` is the symlink.
  Result<TreeNode> node_at(std::string_view path, std::optional<std::string>& beyond);

  // Returns why no new file can be at `path` after the rest of the patch is applied, or nullopt if it can.
  Result<std::optional<Obstacle>> obstacle_at(std::string_view path);

 private:
  Result<TreeNode::Kind> kind_of_parent(std::string_view path);
  Result<std::optional<Obstacle>> obstacle_above(std::string_view path);
  Result<bool> is_emptied(std::string_view folder);

  FileTree& tree_;
  std::set<std::string_view> removed_paths_;
  std::set<std::string_view> created_paths_;
  std::map<std::string, TreeNode::Kind, std::less<>> parents_;  // Cache of the parents' kinds.
};

}  // namespace snapgen::core
