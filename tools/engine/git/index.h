#pragma once
// The index file (gitformat-index(5)), versions 2 to 4, parsed in place.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/disk.h"
#include "tools/engine/git/oid.h"

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

// One folder of the TREE extension. `entries` < 0: the folder changed since, its oid is unknown.
struct CachedTree {
  std::string_view name;  // a path component; the root's is empty
  std::int64_t entries = -1;
  Oid oid;
  std::vector<CachedTree> children;  // in git's order (by length, then bytes)

  const CachedTree* child(std::string_view name) const;
};

class Index {
 public:
  const std::vector<IndexEntry>& entries() const { return entries_; }  // in git's order: path, then stage
  const CachedTree* cached_tree() const { return has_tree_ ? &tree_ : nullptr; }
  const FileStat& stat() const { return stat_; }  // of the file; its mtime makes entries racy
  HashKind kind() const { return kind_; }
  std::string_view bytes() const { return bytes_; }  // of the file it was parsed from; empty: of none
  // Why this index must not be used; empty: it is whole and in order.
  const std::string& doubt() const { return doubt_; }

  bool has_unmerged() const { return has_unmerged_; }
  bool has_mixed_stages() const { return has_mixed_stages_; }  // a path both merged and not: git tolerates it
  bool has_gitlinks() const { return has_gitlinks_; }
  bool has_skip_worktree() const { return has_skip_worktree_; }
  bool has_folders() const { return has_folders_; }  // of a sparse index: `name/` stands for all below it

  // The first entry whose path is not less than `path`.
  std::size_t lower_bound(std::string_view path) const;
  bool contains(std::string_view path) const;           // at any stage
  const IndexEntry* find(std::string_view path) const;  // the first stage of it

 private:
  friend class IndexBuilder;

  FileStat stat_;
  HashKind kind_ = HashKind::sha1;
  std::string_view bytes_;
  std::vector<IndexEntry> entries_;
  std::vector<std::shared_ptr<const void>> memory_;  // what the entries view
  CachedTree tree_;
  bool has_tree_ = false;
  bool has_unmerged_ = false;
  bool has_mixed_stages_ = false;
  bool has_gitlinks_ = false;
  bool has_skip_worktree_ = false;
  bool has_folders_ = false;
  std::string doubt_;
};

using IndexPtr = std::shared_ptr<const Index>;

// Makes an index from entries given in order.
class IndexBuilder {
 public:
  IndexBuilder(const FileStat& stat, HashKind kind);

  void reserve(std::size_t entries) { index_->entries_.reserve(entries); }
  // False when the entry is out of order or of an unknown kind: then the index is damaged.
  bool add(const IndexEntry& entry);
  void set_tree(CachedTree tree);
  void doubtful(std::string reason);
  void made_from(std::string_view bytes) { index_->bytes_ = bytes; }  // which it keeps

  // Memory that lives as long as the index.
  std::string_view keep(std::string bytes);
  std::string_view keep(std::string_view head, std::string_view tail);
  void keep_alive(std::shared_ptr<const void> memory) { index_->memory_.push_back(std::move(memory)); }

  IndexPtr finish() { return std::move(index_); }

 private:
  std::shared_ptr<Index> index_;
  char* chunk_ = nullptr;
  std::size_t chunk_left_ = 0;
};

// The index of a repository where none was written yet.
IndexPtr empty_index(HashKind kind);

// What a split index says of the shared one it builds on.
struct IndexLink {
  Oid shared;                  // the file is `sharedindex.<hex>`; null: there is none
  std::vector<bool> deleted;   // by position in the shared index
  std::vector<bool> replaced;  // the same
};

struct ParsedIndex {
  IndexPtr index;
  std::optional<IndexLink> link;     // then `index` is only a part, see with_shared()
  std::vector<IndexEntry> nameless;  // what replaces entries of the shared index, in the order of the bitmap
};

// Never fails: what is not understood is a doubt.
ParsedIndex parse_index(std::string bytes, const FileStat& stat, HashKind kind);

// A split index (gitformat-index(5)) put together with its shared one.
IndexPtr with_shared(const ParsedIndex& split, const IndexPtr& shared);

// From what `git ls-files --stage --debug -z` prints, without a cached tree. `stat` is the index file's.
IndexPtr index_from_listing(std::string bytes, const FileStat& stat, HashKind kind);

}  // namespace snapgen::core::git
