#pragma once
// Tree: the files of a folder in memory, a view for planning patches, and the result of a plan.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/files/file_tree.h"
#include "tools/engine/patch/plan.h"

namespace snapgen::core {

struct TreeFile {
  FileMode mode = FileMode::plain;
  std::string bytes;

  bool operator==(const TreeFile&) const = default;
};

using Tree = std::map<std::string, TreeFile>;

class TreeView final : public FileTree {
 public:
  explicit TreeView(const Tree& tree) : tree_(tree) {}
  Result<TreeNode> node_at(std::string_view path) override;
  Result<std::string> read(std::string_view path) override;
  Result<std::vector<std::string>> names_in(std::string_view folder) override;

 private:
  const Tree& tree_;
};

// Returns the tree after `changes`, each applied literally.
Tree changed(const Tree& before, const std::vector<TreeChange>& changes);

// Reads all files and symlinks below a folder except `.git`, and writes them into an empty folder.
Tree read_tree(const std::string& folder);
void write_tree(const std::string& folder, const Tree& tree);

// Returns a line for each file, for messages.
std::string described(const Tree& tree);

}  // namespace snapgen::core
