#pragma once
// Small reads from disk, for the other files of git/. Nothing here writes.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/files/file_stat.h"

namespace snapgen::core::git {

enum class Follow : std::uint8_t { links, nothing };

// The largest size of a kind of file that is read. A file of git's has no holes, so a larger sparse file,
// which takes a few bytes in an archive, is too large whatever its size.
struct FileLimit {
  std::int64_t bytes_max = 0;
  bool may_be_sparse = false;
};

// Git writes far less than these limits. Parsed settings and rules need up to 50 times their size in memory.
namespace limits {
inline constexpr FileLimit one_line{.bytes_max = 64 << 10};      // HEAD, a branch, commondir, a .git file
inline constexpr FileLimit config{.bytes_max = 8 << 20};         // 100,000 sections
inline constexpr FileLimit rules{.bytes_max = 8 << 20};          // ignore rules and attributes
inline constexpr FileLimit packed_refs{.bytes_max = 256 << 20};  // 3 million references
inline constexpr FileLimit index{.bytes_max = 512 << 20};        // 5 million files
inline constexpr FileLimit object{.bytes_max = 1 << 30};         // A loose object; git packs large ones.
}  // namespace limits

// Git ignores a file of attributes that has this size or more (since 2.38.3).
inline constexpr std::int64_t ignored_attributes_bytes = 100 << 20;

// The result of reading a small file: its bytes, or the errno. `stat` is that of the open file.
struct FileBytes {
  std::string bytes;
  FileStat stat;
  int error = 0;
};

// Reads a whole regular file. Never blocks: a FIFO or device is EINVAL. A folder is EISDIR, and a file above
// the limit is EFBIG.
FileBytes read_file(const std::string& path, FileLimit limit, Follow follow = Follow::links);
FileBytes read_file_at(int folder_fd, const char* path, FileLimit limit, Follow follow = Follow::nothing);
// Reads at most the first `bytes` bytes.
FileBytes read_beginning_of_file(const std::string& path, std::size_t bytes);

// Returns true if read_file() would fail with EFBIG.
bool is_oversized_file(const std::string& path, FileLimit limit);
// The error names the file and its size, and says what to do. Its code is unavailable.
Error oversized_file_error(const std::string& path, FileLimit limit);

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
