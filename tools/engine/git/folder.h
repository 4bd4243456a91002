#pragma once
// One folder as a walk meets it: what is on disk, and what the index holds there.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/git/index.h"

namespace snapgen::core::git {

enum class ItemKind : std::uint8_t { file, link, folder, other, gone };

struct FolderItem {
  std::string_view name;
  ItemKind kind = ItemKind::other;
};

// What stands at a path; symlinks are not followed.
ItemKind kind_at(int root_fd, const std::string& path);

// The names in a folder on disk, in no particular order, without `.`, `..` and `.git`.
class FolderItems {
 public:
  // `path` is relative to the root and ends in a slash, or is empty. 0, or the errno of opening.
  int read(int root_fd, const std::string& path);
  const std::vector<FolderItem>& items() const { return items_; }
  const FolderItem* find(std::string_view name) const;

 private:
  std::vector<FolderItem> items_;
  std::string names_;
};

// A run of index entries whose paths all begin with one folder's path.
struct IndexRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool empty() const { return begin == end; }
};

// The index's names directly in one folder.
class IndexFolder {
 public:
  // `range`: the entries below the folder; `prefix_bytes`: the length of its path with the final slash.
  IndexFolder(const Index& index, IndexRange range, std::size_t prefix_bytes);

  const IndexEntry* file(std::string_view name) const;  // also a submodule; the first stage
  IndexRange folder(std::string_view name) const;       // what lies below the folder of that name

  struct Child {
    std::string_view name;
    IndexRange range;
  };
  const std::vector<Child>& files() const { return files_; }
  const std::vector<Child>& folders() const { return folders_; }

 private:
  const Index& index_;
  std::vector<Child> files_;    // sorted by name
  std::vector<Child> folders_;  // sorted by name with a slash behind it
};

}  // namespace snapgen::core::git
