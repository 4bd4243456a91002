#pragma once
// FileList is a compact list of files and stats: all paths in one buffer, and 44 more bytes per file. Copies
// share the paths, and the stats in blocks, so that a copy with a few other stats costs little.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "tools/engine/git/walk/files.h"

namespace snapgen::core {

// A range of indexes [first, last).
struct FileRange {
  std::size_t first = 0;
  std::size_t last = 0;
  bool empty() const { return first == last; }
};

class FileList {
 public:
  std::size_t size() const { return paths_->begins.size(); }
  bool empty() const { return size() == 0; }

  // The path of a file. A NUL follows the view.
  std::string_view path(std::size_t index) const {
    const std::size_t begin = paths_->begins[index];
    const std::size_t end = index + 1 < size() ? paths_->begins[index + 1] : paths_->text.size();
    return {paths_->text.data() + begin, end - begin - 1};
  }
  FileStat stat(std::size_t index) const {
    const PackedStat& packed = packed_stat(index);
    return {.size = packed.size,
            .mtime_ns = packed.mtime_ns,
            .ctime_ns = packed.ctime_ns,
            .inode = packed.inode,
            .device = devices_[packed.device],
            .mode = packed.mode};
  }
  bool is_symlink(std::size_t index) const { return S_ISLNK(packed_stat(index).mode); }
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
  std::size_t path_bytes() const { return paths_->text.size() - size(); }  // The total length of all paths.
  // Whether both lists are known to have the same paths: one is a copy of the other with other stats.
  bool shares_paths_with(const FileList& other) const { return paths_ == other.paths_; }
  // The files whose stat is another one in `other`. Requires shares_paths_with(other).
  std::vector<std::uint32_t> indexes_with_another_stat(const FileList& other) const;

  // Functions that build a list. Paths must be added in ascending byte order, and not to a copy.
  void reserve(std::size_t files, std::size_t path_bytes);
  void add(std::string_view path, const FileStat& stat, bool is_hard_linked);
  void append(const FileList& other, FileRange run);
  void set_skipped(std::vector<SkippedPath> sorted) { skipped_ = std::move(sorted); }
  void set_stat(std::size_t index, const FileStat& stat, bool is_hard_linked);

 private:
  struct Paths {
    std::string text;                   // All paths, each followed by a NUL.
    std::vector<std::uint32_t> begins;  // The offset of each path in `text`.
  };
  struct PackedStat {
    std::int64_t size;
    std::int64_t mtime_ns;
    std::int64_t ctime_ns;
    std::uint64_t inode;
    std::uint16_t mode;    // st_mode has no more bits.
    std::uint16_t device;  // Index in devices_.
  };
  using StatBlock = std::vector<PackedStat>;
  static constexpr std::size_t stats_per_block = 2048;

  const PackedStat& packed_stat(std::size_t index) const {
    return (*stats_[index / stats_per_block])[index % stats_per_block];
  }
  void add_stat(const PackedStat& stat);
  std::uint16_t device_number(std::uint64_t device);
  PackedStat packed(const FileStat& stat);

  std::shared_ptr<Paths> paths_ = std::make_shared<Paths>();
  std::vector<std::shared_ptr<StatBlock>> stats_;  // Full blocks, but for the last one.
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
