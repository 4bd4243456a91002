#pragma once
// FileList is a compact list of files and stats: all paths in one buffer, and forty more bytes per file.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "tools/engine/git/files.h"

namespace snapgen::core {

// A range of indexes [first, last).
struct FileRange {
  std::size_t first = 0;
  std::size_t last = 0;
  bool empty() const { return first == last; }
};

class FileList {
 public:
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }

  // The path of a file. A NUL follows the view.
  std::string_view path(std::size_t index) const {
    const std::size_t begin = items_[index].path_at;
    const std::size_t end = index + 1 < items_.size() ? items_[index + 1].path_at : text_->size();
    return {text_->data() + begin, end - begin - 1};
  }
  FileStat stat(std::size_t index) const {
    const Item& item = items_[index];
    return {.size = item.size,
            .mtime_ns = item.mtime_ns,
            .ctime_ns = item.ctime_ns,
            .inode = item.inode,
            .device = devices_[item.device],
            .mode = item.mode};
  }
  bool is_symlink(std::size_t index) const { return S_ISLNK(items_[index].mode); }
  // Files with more than one name (hard links), sorted.
  const std::vector<std::uint32_t>& hard_linked_indexes() const { return hard_linked_; }
  bool is_hard_linked(std::size_t index) const;
  const std::vector<SkippedPath>& skipped() const { return skipped_; }  // Sorted.

  // Returns the first file whose path is not less, or size().
  std::size_t lower_bound(std::string_view path) const;
  // Returns the file's index, or size() if it is not in the list.
  std::size_t find(std::string_view path) const;
  // Returns the file at `path`, or else the files below it; all files for the empty path.
  FileRange at_or_below(std::string_view path) const;
  FileRange below(std::string_view path) const;
  std::size_t path_bytes() const { return text_->size() - items_.size(); }  // The total length of all paths.
  // Whether both lists are known to have the same paths: one is a copy of the other with other stats.
  bool shares_paths_with(const FileList& other) const { return text_ == other.text_; }

  // Functions that build a list. Paths must be added in ascending byte order, and not to a copy.
  void reserve(std::size_t files, std::size_t path_bytes);
  void add(std::string_view path, const FileStat& stat, bool is_hard_linked);
  void append(const FileList& other, FileRange run);
  void set_skipped(std::vector<SkippedPath> sorted) { skipped_ = std::move(sorted); }
  void set_stat(std::size_t index, const FileStat& stat, bool is_hard_linked);

 private:
  struct Item {
    std::int64_t size;
    std::int64_t mtime_ns;
    std::int64_t ctime_ns;
    std::uint64_t inode;
    std::uint32_t path_at;  // Offset in text_.
    std::uint16_t mode;     // st_mode has no more bits.
    std::uint16_t device;   // Index in devices_.
  };
  std::uint16_t device_number(std::uint64_t device);
  Item packed(const FileStat& stat, std::size_t path_at);

  // All paths, each followed by a NUL. Copies of a list share it.
  std::shared_ptr<std::string> text_ = std::make_shared<std::string>();
  std::vector<Item> items_;
  std::vector<std::uint64_t> devices_;
  std::vector<std::uint32_t> hard_linked_;
  std::vector<SkippedPath> skipped_;
};

// The part of a repository's files that a list covers, and the prefix that its paths omit.
struct ListScope {
  std::string prefix;                               // A folder with a trailing slash, or empty.
  bool (*is_excluded)(std::string_view) = nullptr;  // Takes a path without the prefix; may be null.

  bool contains(std::string_view path) const {
    return path.starts_with(prefix) && (is_excluded == nullptr || !is_excluded(path.substr(prefix.size())));
  }
};

// Packs the files of a listing that are in the scope.
FileList file_list_of(FileListing listing, const ListScope& scope);

}  // namespace snapgen::core
