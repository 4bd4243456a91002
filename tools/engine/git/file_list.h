#pragma once
// FileList: the files of a work tree with their stats, as small as they can be kept: all paths in one piece
// of memory, forty bytes for the rest of each.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "tools/engine/git/files.h"

namespace snapgen::core {

// A run of indexes [first, last).
struct FileRun {
  std::size_t first = 0;
  std::size_t last = 0;
  bool empty() const { return first == last; }
};

class FileList {
 public:
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }

  // A NUL stands behind it.
  std::string_view path(std::size_t index) const {
    const std::size_t begin = items_[index].path_at;
    const std::size_t end = index + 1 < items_.size() ? items_[index + 1].path_at : text_.size();
    return {text_.data() + begin, end - begin - 1};
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
  // The files that had more than one name (hard links), sorted.
  const std::vector<std::uint32_t>& other_names() const { return other_names_; }
  bool has_other_names(std::size_t index) const;
  const std::vector<SkippedPath>& skipped() const { return skipped_; }  // sorted

  // The first file whose path is not less; size() if there is none.
  std::size_t lower_bound(std::string_view path) const;
  // Its index; size() if it is not among the files.
  std::size_t find(std::string_view path) const;
  // The file at `path`, or else the files below it; all for the empty path.
  FileRun at_or_below(std::string_view path) const;
  FileRun below(std::string_view path) const;
  std::size_t path_bytes() const { return text_.size() - items_.size(); }  // of all paths together

  // Making one: paths in rising order of their bytes.
  void reserve(std::size_t files, std::size_t path_bytes);
  void add(std::string_view path, const FileStat& stat, bool has_other_names);
  void append(const FileList& other, FileRun run);
  void set_skipped(std::vector<SkippedPath> sorted) { skipped_ = std::move(sorted); }
  void set_stat(std::size_t index, const FileStat& stat, bool has_other_names);

 private:
  struct Item {
    std::int64_t size;
    std::int64_t mtime_ns;
    std::int64_t ctime_ns;
    std::uint64_t inode;
    std::uint32_t path_at;  // in text_
    std::uint16_t mode;     // st_mode has no more bits
    std::uint16_t device;   // in devices_
  };
  std::uint16_t device_number(std::uint64_t device);
  Item packed(const FileStat& stat, std::size_t path_at);

  std::string text_;
  std::vector<Item> items_;
  std::vector<std::uint64_t> devices_;
  std::vector<std::uint32_t> other_names_;
  std::vector<SkippedPath> skipped_;
};

// Which part of a repository's files a list is about, and by what paths.
struct ListScope {
  std::string prefix;  // a folder with its final slash, or empty; left out of the paths
  bool (*is_left_out)(std::string_view) = nullptr;  // of a path without the prefix; null: nothing is

  bool holds(std::string_view path) const {
    return path.starts_with(prefix) && (is_left_out == nullptr || !is_left_out(path.substr(prefix.size())));
  }
};

// What of a listing is in the scope.
FileList packed(FileListing listing, const ListScope& scope);

}  // namespace snapgen::core
