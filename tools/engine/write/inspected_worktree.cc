#include "tools/engine/write/inspected_worktree.h"

#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/observe.h"

namespace snapgen::core {
namespace {

TreeNode::Kind node_kind(FileKind kind) {
  switch (kind) {
    case FileKind::file: return TreeNode::Kind::file;
    case FileKind::folder: return TreeNode::Kind::folder;
    case FileKind::symlink: return TreeNode::Kind::symlink;
    case FileKind::other: break;
  }
  return TreeNode::Kind::other;
}

}  // namespace

Result<TreeNode> InspectedWorktree::node_at(std::string_view path) {
  std::int64_t now = now_ns();
  Result<FileStat> stat = root_.lstat(path);
  if (!stat && stat.error().code == ErrorCode::not_found) {
    missing_.emplace(path);
    return TreeNode{};
  }
  if (!stat) return std::move(stat).error();
  TreeNode node{.kind = node_kind(kind_of(*stat)), .executable = is_executable(*stat), .size = stat->size};
  if (node.kind == TreeNode::Kind::file || node.kind == TreeNode::Kind::symlink) {
    auto [known, fresh] = inspected_files_.emplace(path, FileRecord{});
    if (fresh) known->second = FileRecord{.path = std::string(path), .stat = *stat, .seen_ns = now};
  }
  return node;
}

Result<std::string> InspectedWorktree::read(std::string_view path) {
  auto seen = inspected_files_.find(path);
  if (seen == inspected_files_.end()) return changed_while_read_error(path);
  if (kind_of(seen->second.stat) == FileKind::symlink) {
    Result<std::string> target = root_.read_link(path);
    if (target) seen->second.blob = blob_id_of(*target);
    return target;
  }
  if (stop_.stop_requested()) return cancelled_write_error();
  std::int64_t now = now_ns();
  OpenedPath opened = TRY(root_.open_file(path));
  if (!opened.followed_symlinks.empty()) return changed_while_read_error(path);
  std::string bytes;
  TRY(read_stable_content(opened, bytes));
  seen->second =
      FileRecord{.path = std::string(path), .stat = opened.stat, .seen_ns = now, .blob = blob_id_of(bytes)};
  return bytes;
}

// The names in a folder, including `.git`, which Root::read_folder() omits: a folder that contains a
// repository is not empty.
Result<std::vector<std::string>> InspectedWorktree::names_in(std::string_view folder) {
  std::vector<FolderEntry> entries = TRY(root_.read_folder(folder));
  std::vector<std::string> names;
  for (FolderEntry& entry : entries) names.push_back(std::move(entry.name));
  if (lstat_if_exists(root_, joined_path(folder, ".git"))) names.emplace_back(".git");
  return names;
}

std::optional<FileRecord> InspectedWorktree::find_inspected(const std::string& path) const {
  auto found = inspected_files_.find(path);
  if (found == inspected_files_.end()) return std::nullopt;
  return found->second;
}

std::vector<FileRecord> InspectedWorktree::inspected_files() const {
  std::vector<FileRecord> records;
  records.reserve(inspected_files_.size());
  for (const auto& [path, record] : inspected_files_) records.push_back(record);
  return records;
}

bool InspectedWorktree::is_missing(std::string_view path) const {
  for (std::string_view at = path; !at.empty(); at = parent_path(at))
    if (missing_.contains(at)) return true;
  return false;
}

std::vector<TreeWrite> InspectedWorktree::writes_of(std::vector<TreeChange> changes) const {
  std::vector<TreeWrite> writes;
  for (TreeChange& change : changes) {
    std::optional<FileRecord> existing = find_inspected(change.path);
    std::optional<FileRecord> source = change.from.empty() ? std::nullopt : find_inspected(change.from);
    writes.push_back(
        {.change = std::move(change), .existing = std::move(existing), .source = std::move(source)});
  }
  return writes;
}

}  // namespace snapgen::core
