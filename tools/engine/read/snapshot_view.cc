#include "tools/engine/read/snapshot_view.h"

#include <algorithm>

#include "tools/engine/files/path.h"
#include "tools/engine/store/snapshots/manifest.h"

namespace snapgen::core {
namespace {

constexpr int snapshot_links_max = 40;
constexpr std::uint64_t link_target_bytes_max = 4096;  // PATH_MAX

Error unreadable_file_error(std::string_view path, Error why, std::string_view then = {}) {
  return lost_file_error(path, "cannot be read in the snapshot", std::move(why), then);
}

class BlobContent final : public FileContent {
 public:
  BlobContent(const ManifestEntry& entry, std::unique_ptr<ByteSource> source)
      : path_(entry.path), id_(entry.blob), source_(std::move(source)) {}
  Result<std::string_view> next() override {
    Result<std::string_view> piece = source_->next();
    return piece ? piece : unreadable_file_error(path_, std::move(piece).error());
  }
  Result<BlobId> finish() override { return id_; }

 private:
  std::string path_;
  BlobId id_;
  std::unique_ptr<ByteSource> source_;
};

// The target of the symlink at `link`, relative to the root; nullopt if it is outside.
std::optional<std::string> target_path(std::string_view link, std::string_view target) {
  if (target.starts_with('/')) return std::nullopt;
  return normalized_path(parent_path(link), target);
}

}  // namespace

SnapshotView::SnapshotView(std::shared_ptr<const Snapshot> snapshot, BlobStore& blobs, std::stop_token stop,
                           std::string_view read_remedy)
    : FileView(std::move(stop)), snapshot_(std::move(snapshot)), blobs_(blobs), read_remedy_(read_remedy) {}

Result<const Listing*> SnapshotView::listing() {
  if (!listing_) {
    listing_.emplace();
    std::size_t bytes = 0;
    for (const ManifestEntry& entry : snapshot_->entries) bytes += entry.path.size();
    listing_->reserve(snapshot_->entries.size(), bytes);
    for (const ManifestEntry& entry : snapshot_->entries) {
      FileStat stat;
      stat.mode = entry.mode == FileMode::symlink ? S_IFLNK : S_IFREG;
      listing_->add(entry.path, stat, false);
    }
  }
  return &*listing_;
}

std::optional<std::int64_t> SnapshotView::size_of(std::size_t index) {
  std::optional<std::uint64_t> size = blobs_.size_of(snapshot_->entries[index].blob);
  if (!size) return std::nullopt;
  return static_cast<std::int64_t>(*size);
}

std::optional<BlobId> SnapshotView::known_blob(std::size_t index) { return snapshot_->entries[index].blob; }

Result<SkippedCounts> SnapshotView::skipped_below(std::string_view path, bool) {
  const Listing* listing = TRY(this->listing());
  if (path.empty() || !range_below(*listing, path).empty()) return SkippedCounts{};
  if (is_behind_symlink(*listing, path)) return SkippedCounts{.symlink = 1};
  return not_in_snapshot_error(*snapshot_, path);
}

const ManifestEntry* SnapshotView::find(std::string_view path) const {
  return find_entry(snapshot_->entries, path);
}

Result<TreeNode> SnapshotView::node_at(std::string_view path) {
  const ManifestEntry* entry = find(path);
  if (entry == nullptr) {
    const std::vector<ManifestEntry>& entries = snapshot_->entries;
    std::string below = std::string(path) + '/';
    auto next = lower_bound(entries, below);
    bool folder = path.empty() || (next != entries.end() && next->path.starts_with(below));
    return TreeNode{.kind = folder ? TreeNode::Kind::folder : TreeNode::Kind::missing};
  }
  std::optional<std::uint64_t> size = blobs_.size_of(entry->blob);
  if (!size) return missing_blob_error(*entry);
  bool link = entry->mode == FileMode::symlink;
  return TreeNode{.kind = link ? TreeNode::Kind::symlink : TreeNode::Kind::file,
                  .executable = entry->mode == FileMode::executable,
                  .size = static_cast<std::int64_t>(*size)};
}

Result<std::string> SnapshotView::read(std::string_view path) {
  const ManifestEntry* entry = find(path);
  if (entry == nullptr)
    return Error(ErrorCode::not_found,
                 "The snapshot has no file " + path_in_sentence(path) + "; snapshot_list shows what it has.");
  Result<std::string> bytes = blobs_.get(entry->blob);
  return bytes ? std::move(bytes) : unreadable_file_error(path, std::move(bytes).error(), read_remedy_);
}

Result<std::vector<std::string>> SnapshotView::names_in(std::string_view folder) {
  const std::vector<ManifestEntry>& entries = snapshot_->entries;
  std::vector<std::string> names;
  std::string below = folder.empty() ? std::string() : std::string(folder) + '/';
  for (auto at = lower_bound(entries, below); at != entries.end() && at->path.starts_with(below); ++at) {
    std::string_view rest = std::string_view(at->path).substr(below.size());
    std::string_view name = rest.substr(0, rest.find('/'));
    if (names.empty() || names.back() != name) names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::optional<std::int64_t> SnapshotView::size_at(std::string_view path) {
  const ManifestEntry* const entry = find(path);
  if (entry == nullptr || entry->mode == FileMode::symlink) return std::nullopt;
  const std::optional<std::uint64_t> size = blobs_.size_of(entry->blob);
  if (!size) return std::nullopt;
  return static_cast<std::int64_t>(*size);
}

Result<const ManifestEntry*> SnapshotView::resolve(std::string_view requested_path) {
  std::string path(requested_path);
  for (int links = 0; links <= snapshot_links_max; ++links) {
    const ManifestEntry* entry = find(path);
    std::string rest;
    // There is no such file; a parent folder may be a symlink.
    for (std::string_view above = parent_path(path); entry == nullptr && !above.empty();
         above = parent_path(above)) {
      const ManifestEntry* folder = find(above);
      if (folder == nullptr || folder->mode != FileMode::symlink) continue;
      entry = folder;
      rest = path.substr(above.size() + 1);
    }
    if (entry == nullptr) {
      return Error(ErrorCode::not_found, "The snapshot " + snapshot_->alias() + " has no file " +
                                             path_in_sentence(requested_path) + ".");
    }
    if (entry->mode != FileMode::symlink) return entry;
    if (blobs_.size_of(entry->blob).value_or(0) > link_target_bytes_max)
      return Error(ErrorCode::too_large,
                   path_in_sentence(requested_path) +
                       " is a symlink with too long a target to follow. Read the file that it names.");
    Result<std::string> target = blobs_.get(entry->blob);
    if (!target) return unreadable_file_error(entry->path, std::move(target).error());
    std::optional<std::string> next = target_path(entry->path, *target);
    if (!next) {
      return Error(
          ErrorCode::permission_denied,
          path_in_sentence(requested_path) + " is a symlink out of the workspace. Read another path.");
    }
    path = joined_path(*next, rest);
  }
  return Error(ErrorCode::invalid_argument,
               path_in_sentence(requested_path) +
                   " goes through too many symlinks, maybe in a loop. Name the file itself.");
}

Result<std::unique_ptr<FileContent>> SnapshotView::open(std::string_view path) {
  const ManifestEntry* entry = TRY(resolve(path));
  Result<std::unique_ptr<ByteSource>> source = blobs_.open(entry->blob);
  if (!source) return unreadable_file_error(entry->path, std::move(source).error());
  return std::unique_ptr<FileContent>(std::make_unique<BlobContent>(*entry, *std::move(source)));
}

DeclarationReader SnapshotView::declarations() {
  return [this](const std::string& path) -> std::optional<std::string> {
    const ManifestEntry* const entry = find(path);
    if (entry == nullptr || entry->mode == FileMode::symlink) return std::nullopt;
    if (blobs_.size_of(entry->blob).value_or(UINT64_MAX) > declaration_bytes_max) return std::nullopt;
    Result<std::string> text = blobs_.get(entry->blob);
    if (!text) return std::nullopt;
    return *std::move(text);
  };
}

Result<SearchCandidate> SnapshotView::read_candidate(std::size_t index, ReadBuffers& buffers) {
  const ManifestEntry& entry = snapshot_->entries[index];
  std::optional<std::uint64_t> size = blobs_.size_of(entry.blob);
  if (size && *size > static_cast<std::uint64_t>(search_bytes_max)) {
    return SearchCandidate{.kind = SearchCandidate::Kind::too_large, .bytes = {}};
  }
  Result<std::string> bytes = blobs_.get(entry.blob);
  if (!bytes)
    return unreadable_file_error(entry.path, std::move(bytes).error(),
                                 "Name the other paths to search those.");
  buffers.bytes = *std::move(bytes);
  return candidate_of(entry.path, buffers.bytes, buffers);
}

}  // namespace snapgen::core
