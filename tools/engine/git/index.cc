#include "tools/engine/git/index.h"

#include <algorithm>

namespace snapgen::core::git {
namespace {

constexpr std::size_t path_bytes_max = 4096;  // PATH_MAX; the work tree cannot contain longer paths.
constexpr std::size_t chunk_bytes = 1u << 16;

}  // namespace

const CachedTree* CachedTree::child(std::string_view wanted) const {
  for (const CachedTree& candidate : children) {
    if (candidate.name == wanted) return &candidate;
  }
  return nullptr;
}

std::size_t Index::lower_bound(std::string_view path) const {
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), path,
                       [](const IndexEntry& entry, std::string_view wanted) { return entry.path < wanted; });
  return static_cast<std::size_t>(found - entries_.begin());
}

const IndexEntry* Index::find(std::string_view path) const {
  const std::size_t at = lower_bound(path);
  return at < entries_.size() && entries_[at].path == path ? &entries_[at] : nullptr;
}

bool Index::contains(std::string_view path) const { return find(path) != nullptr; }

IndexBuilder::IndexBuilder(const FileStat& stat, HashKind kind) : index_(std::make_shared<Index>()) {
  index_->stat_ = stat;
  index_->kind_ = kind;
}

bool IndexBuilder::add(const IndexEntry& entry) {
  std::vector<IndexEntry>& entries = index_->entries_;
  if (entry.path.empty() || entry.path.size() > path_bytes_max) return false;
  if (!entries.empty()) {
    const IndexEntry& previous = entries.back();
    const int order = previous.path.compare(entry.path);
    if (order > 0 || (order == 0 && previous.stage >= entry.stage)) return false;
    index_->has_mixed_stages_ |= order == 0 && previous.stage == 0;
  }
  const bool names_folder = entry.path.ends_with('/');
  switch (entry.mode & mode_type_mask) {
    case mode_folder: index_->has_folders_ = true; break;
    case mode_gitlink:
    case mode_regular:
    case mode_symlink: break;
    default: return false;
  }
  if (names_folder != ((entry.mode & mode_type_mask) == mode_folder)) return false;
  index_->has_unmerged_ |= entry.stage != 0;
  index_->has_skip_worktree_ |= entry.skip_worktree;
  entries.push_back(entry);
  return true;
}

void IndexBuilder::set_tree(CachedTree tree) {
  index_->tree_ = std::move(tree);
  index_->has_tree_ = true;
}

void IndexBuilder::set_fallback_reason(std::string reason) {
  if (index_->fallback_reason_.empty()) index_->fallback_reason_ = std::move(reason);
}

std::string_view IndexBuilder::copy_bytes(std::string bytes) {
  auto kept = std::make_shared<const std::string>(std::move(bytes));
  const std::string_view view = *kept;
  keep_alive(std::move(kept));
  return view;
}

std::string_view IndexBuilder::copy_bytes(std::string_view head, std::string_view tail) {
  const std::size_t length = head.size() + tail.size();
  if (length > chunk_left_) {
    chunk_left_ = std::max(chunk_bytes, length);
    const std::shared_ptr<char[]> chunk(new char[chunk_left_]);
    chunk_ = chunk.get();
    keep_alive(chunk);
  }
  char* const place = chunk_;
  std::copy(head.begin(), head.end(), place);
  std::copy(tail.begin(), tail.end(), place + head.size());
  chunk_ += length;
  chunk_left_ -= length;
  return {place, length};
}

IndexPtr empty_index(HashKind kind) { return IndexBuilder(FileStat{}, kind).finish(); }

}  // namespace snapgen::core::git
