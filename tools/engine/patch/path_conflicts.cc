#include "tools/engine/patch/path_conflicts.h"

#include <vector>

#include "tools/engine/files/path.h"

namespace snapgen::core {

using Kind = TreeNode::Kind;

std::string_view noun(Kind kind) {
  switch (kind) {
    case Kind::missing: return "nothing";
    case Kind::file: return "a file";
    case Kind::symlink: return "a symlink";
    case Kind::folder: return "a folder";
    case Kind::other: break;
  }
  return "a FIFO, socket or device";
}

PathConflicts::PathConflicts(const Patch& patch, FileTree& tree) : tree_(tree) {
  for (const FilePatch& file : patch.files) {
    if (file.kind != FilePatch::Kind::create && file.kind != FilePatch::Kind::copy)
      removed_paths_.insert(file.old_path);
    if (file.kind != FilePatch::Kind::remove) created_paths_.insert(file.new_path);
  }
}

Result<Kind> PathConflicts::kind_of_parent(std::string_view path) {
  auto known = parents_.find(path);
  if (known != parents_.end()) return known->second;
  TreeNode node = TRY(tree_.node_at(path));
  parents_.emplace(path, node.kind);
  return node.kind;
}

Result<TreeNode> PathConflicts::node_at(std::string_view path, std::optional<std::string>& beyond) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    std::string_view parent = path.substr(0, slash);
    Kind kind = TRY(kind_of_parent(parent));
    if (kind == Kind::folder) continue;
    if (kind == Kind::symlink) beyond = parent;
    return TreeNode();
  }
  return tree_.node_at(path);
}

// Returns what prevents a file at `path`. Every parent must be a folder, or be created, once the patch is
// applied.
Result<std::optional<Obstacle>> PathConflicts::obstacle_above(std::string_view path) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    std::string_view parent = path.substr(0, slash);
    if (created_paths_.contains(parent)) {
      return std::optional(
          Obstacle{RejectReason::exists, "the patch makes a file of " + path_in_sentence(parent) +
                                             ", so there can be no " + path_in_sentence(path)});
    }
    if (removed_paths_.contains(parent)) break;
    Kind kind = TRY(kind_of_parent(parent));
    if (kind == Kind::missing) break;
    if (kind == Kind::folder) continue;
    RejectReason reason = kind == Kind::symlink ? RejectReason::forbidden_path : RejectReason::exists;
    return std::optional(Obstacle{reason, path_in_sentence(path) + " cannot be made because " +
                                              path_in_sentence(parent) + " is " + std::string(noun(kind))});
  }
  return std::optional<Obstacle>();
}

// Returns true if the patch removes everything in a folder. The patch cannot remove an empty folder in it.
Result<bool> PathConflicts::is_emptied(std::string_view folder) {
  std::vector<std::string> names = TRY(tree_.names_in(folder));
  for (const std::string& name : names) {
    std::string path = joined_path(folder, name);
    if (removed_paths_.contains(path)) continue;
    bool holds_taken = removed_paths_.lower_bound(path + '/') != removed_paths_.end() &&
                       removed_paths_.lower_bound(path + '/')->starts_with(path + '/');
    if (!holds_taken) return false;
    Result<bool> emptied = is_emptied(path);
    if (!emptied || !*emptied) return emptied;
  }
  return true;
}

Result<std::optional<Obstacle>> PathConflicts::obstacle_at(std::string_view path) {
  Result<std::optional<Obstacle>> above = obstacle_above(path);
  if (!above || *above || removed_paths_.contains(path)) return above;
  TreeNode node = TRY(tree_.node_at(path));
  if (node.kind == Kind::missing) return std::optional<Obstacle>();
  if (node.kind == Kind::folder) {
    bool emptied = TRY(is_emptied(path));
    if (emptied) return std::optional<Obstacle>();
  }
  return std::optional(Obstacle{RejectReason::exists, path_in_sentence(path) + " already exists: it is " +
                                                          std::string(noun(node.kind))});
}

}  // namespace snapgen::core
