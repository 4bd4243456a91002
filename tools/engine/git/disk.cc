#include "tools/engine/git/disk.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <ctime>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

#include "runtime/base/fd.h"

namespace snapgen::core::git {
namespace {

constexpr std::int64_t ns_per_s = 1'000'000'000;

FileBytes read_open(const Fd& fd) {
  FileBytes out;
  struct stat status{};
  if (!fd || fstat(fd.get(), &status) != 0) {
    out.error = errno;
    return out;
  }
  out.stat = file_stat(status);
  if (!S_ISREG(status.st_mode)) {
    out.error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    return out;
  }
  // The buffer has one byte more than the file, so that one call reads a file that does not grow.
  std::size_t length = 0;
  out.bytes.resize(static_cast<std::size_t>(status.st_size) + 1);
  for (;;) {
    const ssize_t got = read(fd.get(), out.bytes.data() + length, out.bytes.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      out.error = errno;
      out.bytes.clear();
      return out;
    }
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
    if (length == out.bytes.size()) out.bytes.resize(length * 2);
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

FileBytes read_file_at(int folder_fd, const char* path, Follow follow) {
  const int flags =
      O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (follow == Follow::nothing ? O_NOFOLLOW : 0);
  const Fd fd(openat(folder_fd, path, flags));
  return read_open(fd);
}

FileBytes read_file(const std::string& path, Follow follow) {
  return read_file_at(AT_FDCWD, path.c_str(), follow);
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
