#pragma once
// One folder during a walk: its entries on disk and in the index.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/git/repository/index.h"

namespace snapgen::core::git {

enum class ItemKind : std::uint8_t { file, link, folder, other, missing };

struct FolderItem {
  std::string_view name;
  ItemKind kind = ItemKind::other;
};

// Returns the kind of the file at a path, without following symlinks.
ItemKind kind_at(int root_fd, const std::string& path);

// FolderItems has the names in a folder on disk, unordered, without `.`, `..` and `.git`.
class FolderItems {
 public:
  // `path` is relative to the root and ends in a slash, or is empty. Returns 0 or the errno of opening.
  int read(int root_fd, const std::string& path);
  const std::vector<FolderItem>& items() const { return items_; }
  const FolderItem* find(std::string_view name) const;

 private:
  std::vector<FolderItem> items_;
  std::string names_;
};

// The range of index entries whose paths begin with one folder's path.
struct IndexRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool empty() const { return begin == end; }
};

// Returns the entries below a folder. `path` has no trailing slash.
IndexRange entries_below(const Index& index, std::string_view path);

// The entries at `path` and those below it.
struct EntryRanges {
  IndexRange at;
  IndexRange below;
};
EntryRanges entries_at(const Index& index, std::string_view path);

// IndexFolder has the index's names directly in one folder.
class IndexFolder {
 public:
  // `range` has the entries below the folder; `prefix_bytes` is its path's length with the slash.
  IndexFolder(const Index& index, IndexRange range, std::size_t prefix_bytes);

  const IndexEntry* file(std::string_view name) const;  // A file or submodule, at its first stage.
  IndexRange folder(std::string_view name) const;       // The entries below that subfolder.

  struct Child {
    std::string_view name;
    IndexRange range;
  };
  const std::vector<Child>& files() const { return files_; }
  const std::vector<Child>& folders() const { return folders_; }

 private:
  const Index& index_;
  std::vector<Child> files_;    // Sorted by name.
  std::vector<Child> folders_;  // Sorted by name with a trailing slash.
};

}  // namespace snapgen::core::git
