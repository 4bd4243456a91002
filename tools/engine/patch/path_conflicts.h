#pragma once
// PathConflicts: whether the files that a patch names can be where it wants them, in the tree before it and
// after it.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/patch/patch.h"
#include "tools/engine/patch/view.h"

namespace snapgen::core {

// Why a file cannot be where the patch wants it.
struct Obstacle {
  RejectReason reason = RejectReason::exists;
  std::string message;  // One sentence.
};

std::string_view noun(TreeNode::Kind kind);  // "a folder"

class PathConflicts {
 public:
  // Both must outlive this.
  PathConflicts(const Patch& patch, PatchView& view);

  // Paths whose file goes away or is replaced, and paths that hold a file afterwards because of the patch.
  const std::set<std::string_view>& taken() const { return taken_; }
  const std::set<std::string_view>& made() const { return made_; }

  // What stands at `path` now. Beyond a symlink nothing counts as standing, and `beyond` names that symlink.
  Result<TreeNode> node_at(std::string_view path, std::optional<std::string>& beyond);

  // What is in the way of a new file at `path`, once the rest of the patch is applied; nothing if there is
  // room.
  Result<std::optional<Obstacle>> obstacle_at(std::string_view path);

 private:
  Result<TreeNode::Kind> kind_of_parent(std::string_view path);
  Result<std::optional<Obstacle>> obstacle_above(std::string_view path);
  Result<bool> is_emptied(std::string_view folder);

  PatchView& view_;
  std::set<std::string_view> taken_;
  std::set<std::string_view> made_;
  std::map<std::string, TreeNode::Kind, std::less<>> parents_;  // Those that were looked at.
};

}  // namespace snapgen::core
