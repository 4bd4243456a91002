#pragma once
// Small reads from disk, for the other files of git/. Nothing here writes.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tools/engine/files/file_stat.h"

namespace snapgen::core::git {

enum class Follow : std::uint8_t { links, nothing };

// The result of reading a small file: its bytes, or the errno. `stat` is that of the open file.
struct FileBytes {
  std::string bytes;
  FileStat stat;
  int error = 0;
};

// Reads a whole regular file. Never blocks: a FIFO or device is EINVAL. A folder is EISDIR.
FileBytes read_file(const std::string& path, Follow follow = Follow::links);
FileBytes read_file_at(int folder_fd, const char* path, Follow follow = Follow::nothing);

// Returns the target of a symlink, or nullopt.
std::optional<std::string> read_link_at(int folder_fd, const char* path);

std::optional<FileStat> stat_of(const std::string& path);   // Follows symlinks.
std::optional<FileStat> lstat_of(const std::string& path);  // Does not follow symlinks.

// Returns the path with all symlinks resolved, or nullopt if it does not exist.
std::optional<std::string> real_path(const std::string& path);

// Joins `base` and `path`, unless `path` is absolute.
std::string joined_unless_absolute(std::string_view base, std::string_view path);

// Returns true if `path` is `folder` or below it.
inline bool is_at_or_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// Returns the time of the clock that stamps files, in nanoseconds.
std::int64_t file_clock_ns();

// A file with a timestamp this old cannot change again under the same timestamp. Kernels stamp with the
// resolution of their tick (at most 10 ms); network file systems are coarser.
inline constexpr std::int64_t timestamp_granularity_ns = 50'000'000;

// Returns true if an unchanged stat proves unchanged content for a file that was read at `read_at_ns`.
inline bool stat_proves_content(const FileStat& stat, std::int64_t read_at_ns) {
  return stat.ctime_ns + timestamp_granularity_ns < read_at_ns &&
         stat.mtime_ns + timestamp_granularity_ns < read_at_ns;
}

}  // namespace snapgen::core::git
