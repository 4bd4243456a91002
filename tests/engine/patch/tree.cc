#include "tests/engine/patch/tree.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;
}  // namespace

Result<TreeNode> TreeView::node_at(std::string_view path) {
  auto file = tree_.find(std::string(path));
  if (file != tree_.end()) {
    const TreeFile& found = file->second;
    if (found.mode == FileMode::symlink) return TreeNode{.kind = TreeNode::Kind::symlink};
    return TreeNode{.kind = TreeNode::Kind::file,
                    .executable = found.mode == FileMode::executable,
                    .size = static_cast<std::int64_t>(found.bytes.size())};
  }
  std::string below = std::string(path) + "/";
  auto next = tree_.lower_bound(below);
  bool folder = next != tree_.end() && next->first.starts_with(below);
  return TreeNode{.kind = folder ? TreeNode::Kind::folder : TreeNode::Kind::missing};
}

Result<std::string> TreeView::read(std::string_view path) { return tree_.at(std::string(path)).bytes; }

Result<std::vector<std::string>> TreeView::names_in(std::string_view folder) {
  std::set<std::string> names;
  std::string below = std::string(folder) + "/";
  for (auto at = tree_.lower_bound(below); at != tree_.end() && at->first.starts_with(below); ++at) {
    std::string_view rest = std::string_view(at->first).substr(below.size());
    names.insert(std::string(rest.substr(0, rest.find('/'))));
  }
  return std::vector<std::string>(names.begin(), names.end());
}

Tree changed(const Tree& before, const std::vector<TreeChange>& changes) {
  Tree after = before;
  for (const TreeChange& change : changes) {
    switch (change.kind) {
      case TreeChange::Kind::write: after[change.path] = {change.mode, change.bytes}; break;
      case TreeChange::Kind::copy: after[change.path] = {change.mode, before.at(change.from).bytes}; break;
      case TreeChange::Kind::chmod: after.at(change.path).mode = change.mode; break;
      case TreeChange::Kind::remove: EXPECT_EQ(after.erase(change.path), 1U) << change.path; break;
      case TreeChange::Kind::remove_folder: ADD_FAILURE() << change.path; break;
    }
  }
  return after;
}

Tree read_tree(const std::string& folder) {
  Tree tree;
  for (auto at = fs::recursive_directory_iterator(folder); at != fs::recursive_directory_iterator(); ++at) {
    if (at->path().filename() == ".git") {
      at.disable_recursion_pending();
      continue;
    }
    std::string path = at->path().string().substr(folder.size() + 1);
    struct stat st;
    if (::lstat(at->path().c_str(), &st) != 0) ADD_FAILURE() << "cannot examine " << path;
    if (S_ISLNK(st.st_mode)) tree[path] = {FileMode::symlink, fs::read_symlink(at->path()).string()};
    if (!S_ISREG(st.st_mode)) continue;
    std::ifstream in(at->path(), std::ios::binary);
    tree[path] = {(st.st_mode & S_IXUSR) != 0 ? FileMode::executable : FileMode::plain,
                  std::string(std::istreambuf_iterator<char>(in), {})};
  }
  return tree;
}

void write_tree(const std::string& folder, const Tree& tree) {
  for (const auto& [path, file] : tree) {
    fs::path at = folder + "/" + path;
    fs::create_directories(at.parent_path());
    if (file.mode == FileMode::symlink) {
      fs::create_symlink(file.bytes, at);
      continue;
    }
    std::ofstream(at, std::ios::binary) << file.bytes;
    ::chmod(at.c_str(), file.mode == FileMode::executable ? 0755 : 0644);
  }
}

std::string described(const Tree& tree) {
  std::string text;
  for (const auto& [path, file] : tree)
    text += std::string(core::git_mode_text(file.mode)) + " " + path + " (" +
            std::to_string(file.bytes.size()) + " bytes) " + file.bytes.substr(0, 60) + "\n";
  return text;
}

}  // namespace snapgen::core
