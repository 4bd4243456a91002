#include "tools/engine/git/repository/disk.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <ctime>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"

namespace snapgen::core::git {
namespace {

constexpr std::int64_t ns_per_s = 1'000'000'000;

// Smaller files are read whether they have holes or not.
constexpr std::int64_t sparse_bytes_min = 1 << 20;

bool is_oversized(int fd, std::int64_t size, FileLimit limit) {
  if (size > limit.bytes_max) return true;
  if (size < sparse_bytes_min || limit.may_be_sparse) return false;
  // A file system that does not know holes reports one at the end of the file.
  const off_t hole = lseek(fd, 0, SEEK_HOLE);
  return hole >= 0 && lseek(fd, 0, SEEK_SET) == 0 && hole < size;
}

Fd open_to_read(int folder_fd, const char* path, Follow follow) {
  const int flags =
      O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (follow == Follow::nothing ? O_NOFOLLOW : 0);
  return Fd(openat(folder_fd, path, flags));
}

// Sets the stat of an open file, or the error if it is not a regular file.
FileBytes regular_file(const Fd& fd) {
  FileBytes out;
  struct stat status{};
  if (!fd || fstat(fd.get(), &status) != 0) {
    out.error = errno;
    return out;
  }
  out.stat = file_stat(status);
  if (!S_ISREG(status.st_mode)) out.error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  return out;
}

FileBytes failed(FileBytes out, int error) {
  out.error = error;
  out.bytes.clear();
  return out;
}

// Reads until the end of the file, or until `out.bytes` has more than `bytes_max` bytes.
FileBytes read_open(const Fd& fd, FileBytes out, std::int64_t bytes_max) {
  // The buffer has one byte more than the file, so that one call reads a file that does not grow.
  const std::size_t most = static_cast<std::size_t>(bytes_max) + 1;
  std::size_t length = 0;
  out.bytes.resize(std::min(static_cast<std::size_t>(out.stat.size) + 1, most));
  for (;;) {
    const ssize_t got = read(fd.get(), out.bytes.data() + length, out.bytes.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed(std::move(out), errno);
    length += static_cast<std::size_t>(got);
    if (got == 0 || length == most) break;
    if (length == out.bytes.size()) out.bytes.resize(std::min(length * 2, most));
  }
  out.bytes.resize(length);
  return out;
}

std::optional<FileStat> stat_with(const std::string& path, int flags) {
  struct stat status{};
  if (fstatat(AT_FDCWD, path.c_str(), &status, flags) != 0) return std::nullopt;
  return file_stat(status);
}

}  // namespace

FileBytes read_file_at(int folder_fd, const char* path, FileLimit limit, Follow follow) {
  const Fd fd = open_to_read(folder_fd, path, follow);
  FileBytes out = regular_file(fd);
  if (out.error != 0) return out;
  if (is_oversized(fd.get(), out.stat.size, limit)) return failed(std::move(out), EFBIG);
  out = read_open(fd, std::move(out), limit.bytes_max);
  if (out.bytes.size() > static_cast<std::size_t>(limit.bytes_max)) return failed(std::move(out), EFBIG);
  return out;
}

FileBytes read_file(const std::string& path, FileLimit limit, Follow follow) {
  return read_file_at(AT_FDCWD, path.c_str(), limit, follow);
}

FileBytes read_beginning_of_file(const std::string& path, std::size_t bytes) {
  const Fd fd = open_to_read(AT_FDCWD, path.c_str(), Follow::links);
  FileBytes out = regular_file(fd);
  return out.error != 0 ? out : read_open(fd, std::move(out), static_cast<std::int64_t>(bytes) - 1);
}

bool is_oversized_file(const std::string& path, FileLimit limit) {
  const std::optional<FileStat> stat = stat_of(path);
  if (!stat || !S_ISREG(stat->mode) || stat->size <= std::min(limit.bytes_max, sparse_bytes_min))
    return stat && S_ISREG(stat->mode) && stat->size > limit.bytes_max;
  const Fd fd = open_to_read(AT_FDCWD, path.c_str(), Follow::links);
  return is_oversized(fd.get(), stat->size, limit);
}

Error oversized_file_error(const std::string& path, FileLimit limit) {
  const std::optional<FileStat> stat = stat_of(path);
  const std::int64_t size = stat ? stat->size : 0;
  const auto text = [](std::int64_t bytes) { return size_text(static_cast<std::uint64_t>(bytes)); };
  const std::string why = size > limit.bytes_max
                              ? ", and at most " + text(limit.bytes_max) + " are read there"
                              : " with holes, and git writes no sparse files";
  return Error(ErrorCode::unavailable, path_in_sentence(path) + " has " + text(size) + why +
                                           ". Repair or remove it, then call again.");
}

std::optional<std::string> read_link_at(int folder_fd, const char* path) {
  for (std::string target(256, '\0');; target.resize(target.size() * 2)) {
    const ssize_t length = readlinkat(folder_fd, path, target.data(), target.size());
    if (length < 0) return std::nullopt;
    if (static_cast<std::size_t>(length) < target.size()) {
      target.resize(static_cast<std::size_t>(length));
      return target;
    }
  }
}

std::optional<FileStat> stat_of(const std::string& path) { return stat_with(path, 0); }
std::optional<FileStat> lstat_of(const std::string& path) { return stat_with(path, AT_SYMLINK_NOFOLLOW); }

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(realpath(path.c_str(), nullptr), &std::free);
  if (!resolved) return std::nullopt;
  return std::string(resolved.get());
}

std::string joined_unless_absolute(std::string_view base, std::string_view path) {
  if (path.starts_with('/') || base.empty()) return std::string(path);
  std::string out(base);
  if (!out.ends_with('/')) out += '/';
  out += path;
  return out;
}

std::int64_t file_clock_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * ns_per_s + now.tv_nsec;
}

}  // namespace snapgen::core::git
