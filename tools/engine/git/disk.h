#pragma once
// Small reads from disk, as the other files of this folder need them. Nothing here writes.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tools/engine/files/file_stat.h"

namespace snapgen::core::git {

enum class Follow : std::uint8_t { links, nothing };

// What became of reading a small file: its bytes, or the errno. `stat` is that of the open file.
struct FileBytes {
  std::string bytes;
  FileStat stat;
  int error = 0;
};

// Reads a regular file whole. A FIFO or device is EINVAL and never blocks; a folder is EISDIR.
FileBytes read_file(const std::string& path, Follow follow = Follow::links);
FileBytes read_file_at(int folder_fd, const char* path, Follow follow = Follow::nothing);

// The target of a symlink, or nothing.
std::optional<std::string> read_link_at(int folder_fd, const char* path);

std::optional<FileStat> stat_of(const std::string& path);   // follows symlinks
std::optional<FileStat> lstat_of(const std::string& path);  // does not

// The path with every symlink resolved, or nothing (it must exist).
std::optional<std::string> real_path(const std::string& path);

// `base` and `path` joined, unless `path` is absolute.
std::string joined(std::string_view base, std::string_view path);

// Whether `path` is `folder` itself or lies below it.
inline bool is_at_or_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// Now, on the clock that stamps files, in nanoseconds.
std::int64_t file_clock_ns();

// A file stamped this long ago cannot be changed again under the same stamp: kernels stamp with the
// resolution of their tick (at most 10 ms), network file systems more coarsely.
inline constexpr std::int64_t stamp_granularity_ns = 50'000'000;

// Whether what was read at `read_at_ns` from a file with this stat is still known as long as the stat stays.
inline bool is_stable(const FileStat& stat, std::int64_t read_at_ns) {
  return stat.ctime_ns + stamp_granularity_ns < read_at_ns &&
         stat.mtime_ns + stamp_granularity_ns < read_at_ns;
}

}  // namespace snapgen::core::git
