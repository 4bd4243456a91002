#include "tools/core/memory/json_lines.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/core/store/durable.h"
#include "tools/core/substrate.h"

namespace snapgen::core {
namespace {

Error trouble(const std::string& path, std::string_view doing) {
  const int number = errno;
  const bool refused = number == ELOOP || number == EACCES || number == EPERM || number == ENOTDIR;
  return Error(refused ? ErrorCode::permission_denied : ErrorCode::unavailable,
               "Cannot " + std::string(doing) + " in .snapback: " + std::strerror(number) + ".", {}, path);
}

bool is_folder(const std::string& path) {
  struct stat st;
  return ::lstat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

// Held until the descriptor is closed.
bool lock(int fd) {
  while (::flock(fd, LOCK_EX) != 0)
    if (errno != EINTR) return false;
  return true;
}

// Whether a crash left the last line without its end.
bool is_torn(int fd, std::int64_t size) {
  char last = '\n';
  return size > 0 && ::pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

bool append_lines(int fd, std::string_view lines) {
  struct stat st;
  if (::fstat(fd, &st) != 0) return false;
  std::string bytes = is_torn(fd, st.st_size) ? "\n" : "";
  bytes.append(lines);
  const ssize_t written = ::write(fd, bytes.data(), bytes.size());
  if (written == static_cast<ssize_t>(bytes.size())) return true;
  const int number = written < 0 ? errno : ENOSPC;
  // A part of a line is worth nothing; if it stays, the next writer closes it.
  if (written > 0 && ::ftruncate(fd, st.st_size) != 0) errno = number;
  errno = number;
  return false;
}

Result<std::string> make_state_folder(const std::string& root, std::string_view name) {
  Result<Unit> made = make_snapback_folder(root);
  if (!made) return std::move(made).error();
  std::string folder = root + "/.snapback";
  if (!is_folder(folder))
    return Error(ErrorCode::permission_denied, ".snapback is not a folder; nothing is written through it.");
  folder.append("/").append(name);
  // Of its own, since the folder above may be the user's, with other rules or none.
  if (::mkdir(folder.c_str(), 0700) == 0) {
    Result<Unit> hidden = make_file(folder, ".gitignore", "*\n");
    if (!hidden) return std::move(hidden).error();
  }
  if (is_folder(folder)) return folder;
  return Error(ErrorCode::permission_denied,
               ".snapback/" + std::string(name) + " is not a folder; nothing is written through it.");
}

Result<Unit> JsonLines::append(std::string_view line, const std::function<Result<Unit>()>& locked) const {
  Fd fd(::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return trouble(path_, "write");
  if (!lock(fd.get())) return trouble(path_, "lock a file");
  if (locked) {
    Result<Unit> done = locked();
    if (!done) return done;
  }
  struct stat st;
  if (::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) return trouble(path_, "write");
  if (!append_lines(fd.get(), std::string(line) + "\n")) return trouble(path_, "write");
  return sync_file(fd.get());
}

LinesState JsonLines::state() const {
  struct stat st;
  if (::lstat(path_.c_str(), &st) != 0 || !S_ISREG(st.st_mode)) return {};
  return {.device = st.st_dev,
          .inode = st.st_ino,
          .size = st.st_size,
          .mtime_ns = st.st_mtim.tv_sec * 1'000'000'000 + st.st_mtim.tv_nsec};
}

Result<std::string> JsonLines::read_from(std::int64_t begin) const {
  Fd fd(::open(path_.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!fd && errno == ENOENT) return std::string();
  struct stat st;
  if (!fd || ::fstat(fd.get(), &st) != 0) return trouble(path_, "read");
  if (!S_ISREG(st.st_mode) || st.st_size <= begin) return std::string();
  std::string bytes(static_cast<std::size_t>(st.st_size - begin), '\0');
  Result<Unit> read = read_at(fd.get(), bytes.data(), bytes.size(), static_cast<std::uint64_t>(begin));
  if (!read) return std::move(read).error();
  const std::size_t end = bytes.rfind('\n');
  bytes.resize(end == std::string::npos ? 0 : end + 1);
  return bytes;
}

}  // namespace snapgen::core
