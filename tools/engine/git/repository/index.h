#pragma once
// The index file (gitformat-index(5)), versions 2 to 4, parsed in place.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/disk.h"
#include "tools/engine/git/repository/oid.h"

namespace snapgen::core::git {

struct IndexEntry {
  std::string_view path;
  std::string_view oid;  // raw bytes
  std::uint32_t ctime_s = 0, ctime_ns = 0, mtime_s = 0, mtime_ns = 0;
  std::uint32_t device = 0, inode = 0, mode = 0, uid = 0, gid = 0, size = 0;
  std::uint8_t stage = 0;
  bool assume_unchanged = false;
  bool skip_worktree = false;
  bool intent_to_add = false;
};

// One folder of the TREE extension. `entry_count` < 0: the folder has changed and its id is unknown.
struct CachedTree {
  std::string_view name;  // A path component; the root's is empty.
  std::int64_t entry_count = -1;
  Oid oid;
  std::vector<CachedTree> children;  // In git's order (by length, then bytes).

  const CachedTree* child(std::string_view name) const;
};

class Index {
 public:
  const std::vector<IndexEntry>& entries() const { return entries_; }  // In git's order: path, then stage.
  const CachedTree* cached_tree() const { return has_tree_ ? &tree_ : nullptr; }
  // The index file's stat; an entry as new as its mtime is racy.
  const FileStat& stat() const { return stat_; }
  HashKind kind() const { return kind_; }
  std::string_view bytes() const { return bytes_; }  // The bytes of the parsed file; empty if there is none.
  // Why this index must not be used; empty if it is complete and in order.
  const std::string& fallback_reason() const { return fallback_reason_; }

  bool has_unmerged() const { return has_unmerged_; }
  // Whether a path is both merged and unmerged, which git allows.
  bool has_mixed_stages() const { return has_mixed_stages_; }
  bool has_skip_worktree() const { return has_skip_worktree_; }
  bool has_sparse_folders() const {
    return has_folders_;
  }  // A sparse index: `name/` represents a whole folder.

  // Returns the first entry whose path is not less than `path`.
  std::size_t lower_bound(std::string_view path) const;
  bool contains(std::string_view path) const;           // Whether `path` has an entry at any stage.
  const IndexEntry* find(std::string_view path) const;  // The first stage.

 private:
  friend class IndexBuilder;

  FileStat stat_;
  HashKind kind_ = HashKind::sha1;
  std::string_view bytes_;
  std::vector<IndexEntry> entries_;
  std::vector<std::shared_ptr<const void>> memory_;  // Owns the memory that the entries view.
  CachedTree tree_;
  bool has_tree_ = false;
  bool has_unmerged_ = false;
  bool has_mixed_stages_ = false;
  bool has_skip_worktree_ = false;
  bool has_folders_ = false;
  std::string fallback_reason_;
};

using IndexPtr = std::shared_ptr<const Index>;

// IndexBuilder builds an index from entries in order.
class IndexBuilder {
 public:
  IndexBuilder(const FileStat& stat, HashKind kind);

  void reserve(std::size_t entries) { index_->entries_.reserve(entries); }
  // Adds an entry. Returns false if it is out of order or of an unknown kind: the index is damaged.
  bool add(const IndexEntry& entry);
  void set_tree(CachedTree tree);
  void set_fallback_reason(std::string reason);
  void set_source_bytes(std::string_view bytes) { index_->bytes_ = bytes; }  // The index must own the bytes.

  // Copies bytes to memory that lives as long as the index.
  std::string_view copy_bytes(std::string bytes);
  std::string_view copy_bytes(std::string_view head, std::string_view tail);
  void keep_alive(std::shared_ptr<const void> memory) { index_->memory_.push_back(std::move(memory)); }

  IndexPtr finish() { return std::move(index_); }

 private:
  std::shared_ptr<Index> index_;
  char* chunk_ = nullptr;
  std::size_t chunk_left_ = 0;
};

// Returns the index of a repository that has no index file yet.
IndexPtr empty_index(HashKind kind);

// A split index's reference to its shared index.
struct IndexLink {
  Oid shared_index_oid;               // The file is `sharedindex.<hex>`; null if there is none.
  std::vector<bool> deleted_bitmap;   // Whether each entry of the shared index is deleted.
  std::vector<bool> replaced_bitmap;  // Whether each entry of the shared index is replaced.
};

struct ParsedIndex {
  IndexPtr index;
  std::optional<IndexLink> link;         // If set, `index` is incomplete until with_shared_index().
  std::vector<IndexEntry> replacements;  // Replacements of entries of the shared index, in bitmap order.
};

// Parses an index file. Never fails: a fallback reason records anything that is not understood.
ParsedIndex parse_index(std::string bytes, const FileStat& stat, HashKind kind);

// Combines a split index (gitformat-index(5)) with its shared index.
IndexPtr with_shared_index(const ParsedIndex& split, const IndexPtr& shared);

// Returns an index file of these entries, without extensions.
std::string encoded_index(const std::vector<IndexEntry>& entries, HashKind kind);

// Builds an index from `git ls-files --stage --debug -z`, without a cached tree. `stat` is the index file's.
IndexPtr index_from_listing(std::string bytes, const FileStat& stat, HashKind kind);

}  // namespace snapgen::core::git
