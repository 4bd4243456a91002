#include "tools/engine/patch/snapshot_tree.h"

#include <algorithm>
#include <map>
#include <optional>

#include "tools/engine/files/path.h"
#include "tools/engine/store/manifest.h"

namespace snapgen::core {

std::vector<ManifestEntry>::const_iterator SnapshotTree::lower_bound(std::string_view path) const {
  return std::lower_bound(
      entries_.begin(), entries_.end(), path,
      [](const ManifestEntry& entry, std::string_view bound) { return entry.path < bound; });
}

const ManifestEntry* SnapshotTree::find(std::string_view path) const {
  auto at = lower_bound(path);
  return at != entries_.end() && at->path == path ? &*at : nullptr;
}

Result<TreeNode> SnapshotTree::node_at(std::string_view path) {
  const ManifestEntry* entry = find(path);
  if (entry == nullptr) {
    std::string below = std::string(path) + '/';
    auto next = lower_bound(below);
    bool folder = path.empty() || (next != entries_.end() && next->path.starts_with(below));
    return TreeNode{.kind = folder ? TreeNode::Kind::folder : TreeNode::Kind::missing};
  }
  std::optional<std::uint64_t> size = blobs_.size_of(entry->blob);
  if (!size) return missing_blob_error(*entry);
  bool link = entry->mode == FileMode::symlink;
  return TreeNode{.kind = link ? TreeNode::Kind::symlink : TreeNode::Kind::file,
                  .executable = entry->mode == FileMode::executable,
                  .size = static_cast<std::int64_t>(*size)};
}

Result<std::string> SnapshotTree::read(std::string_view path) {
  const ManifestEntry* entry = find(path);
  if (entry == nullptr)
    return Error(ErrorCode::not_found,
                 "The snapshot has no file " + path_in_sentence(path) + "; snapshot_list shows what it has.");
  Result<std::string> bytes = blobs_.get(entry->blob);
  return bytes ? std::move(bytes)
               : lost_file_error(path, "cannot be read in the snapshot", std::move(bytes).error(),
                                 "Patch the other files, or another snapshot.");
}

Result<std::vector<std::string>> SnapshotTree::names_in(std::string_view folder) {
  std::vector<std::string> names;
  std::string below = folder.empty() ? std::string() : std::string(folder) + '/';
  for (auto at = lower_bound(below); at != entries_.end() && at->path.starts_with(below); ++at) {
    std::string_view rest = std::string_view(at->path).substr(below.size());
    std::string_view name = rest.substr(0, rest.find('/'));
    if (names.empty() || names.back() != name) names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool SnapshotTree::ensure_stored(const ManifestEntry& entry) {
  if (blobs_.contains(entry.blob)) return true;
  const Result<std::string> bytes = blobs_.get(entry.blob);
  return bytes && blobs_.put(*bytes);
}

Result<std::vector<ManifestEntry>> SnapshotTree::entries_after(const std::vector<TreeChange>& changes) {
  std::map<std::string_view, std::optional<ManifestEntry>> changed;  // nullopt: the file is removed.
  for (const TreeChange& change : changes) {
    std::optional<ManifestEntry>& entry = changed[change.path];
    const ManifestEntry* before = find(change.kind == TreeChange::Kind::copy ? change.from : change.path);
    switch (change.kind) {
      case TreeChange::Kind::write: {
        BlobId blob = TRY(blobs_.put(change.bytes));
        entry = ManifestEntry{.path = change.path, .blob = blob, .mode = change.mode};
        break;
      }
      case TreeChange::Kind::copy:
      case TreeChange::Kind::chmod:
        entry = ManifestEntry{.path = change.path, .blob = before->blob, .mode = change.mode};
        break;
      case TreeChange::Kind::remove:
      case TreeChange::Kind::remove_folder: break;
    }
  }
  std::vector<ManifestEntry> after;
  after.reserve(entries_.size() + changed.size());
  for (const ManifestEntry& entry : entries_) {
    if (changed.contains(entry.path)) continue;
    if (!ensure_stored(entry)) return missing_blob_error(entry);
    after.push_back(entry);
  }
  for (auto& [path, entry] : changed) {
    if (!entry) continue;
    if (!ensure_stored(*entry)) return missing_blob_error(*entry);
    after.push_back(*std::move(entry));
  }
  std::sort(after.begin(), after.end(),
            [](const ManifestEntry& a, const ManifestEntry& b) { return a.path < b.path; });
  return after;
}

}  // namespace snapgen::core
