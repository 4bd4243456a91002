#include "tools/engine/files/json_lines.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/engine/files/file_lock.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t file_bytes_max = 64 << 20;
constexpr std::int64_t tail_read_bytes = 1 << 20;
// Longer than any argument of a call; longer lines are cut.
constexpr std::size_t json_line_bytes_max = 32 << 20;

Error memory_error(const std::string& path, std::string_view doing) {
  const int number = errno;
  if (number == ELOOP) return symlink_error(path);
  const bool refused = number == EACCES || number == EPERM || number == ENOTDIR;
  return Error(refused ? ErrorCode::permission_denied : ErrorCode::unavailable,
               "Cannot " + std::string(doing) + " in .snapback, at " + std::string(base_name(path)) + ": " +
                   std::strerror(number) + ".",
               {}, path);
}

Result<Unit> lock(int fd, const std::string& path) {
  switch (lock_file(fd, {})) {
    case LockResult::acquired: return Unit{};
    case LockResult::failed: return memory_error(path, "lock a file");
    case LockResult::busy:
    case LockResult::cancelled: break;
  }
  return Error(ErrorCode::unavailable,
               "Another process has been writing to " + path_in_sentence(path) + " for a minute; try again.");
}

// Returns true if a crash left the last line without its line break.
bool is_torn(int fd, std::int64_t size) {
  char last = '\n';
  return size > 0 && ::pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

// Makes a folder. Returns false if it exists.
Result<bool> made_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) == 0) return true;
  return errno == EEXIST ? Result<bool>(false) : memory_error(folder, "make a folder");
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
  // Removes the partial line. If that fails, the next writer ends it.
  if (written > 0 && ::ftruncate(fd, st.st_size) != 0) errno = number;
  errno = number;
  return false;
}

Result<std::string> make_state_folder(const std::string& root, std::string_view name) {
  TRY(make_snapback_folder(root));
  std::string folder = root + "/.snapback";
  TRY(check_plain_folder(folder, ".snapback"));
  for (bool is_first = true; !name.empty(); is_first = false) {
    const std::size_t end = std::min(name.find('/'), name.size());
    folder.append("/").append(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
    // The first folder gets rules too, because `.snapback` may be the user's, with other rules or none.
    bool made_now = TRY(is_first ? make_git_ignored_folder(folder, 0700, "*\n") : made_folder(folder));
    TRY(made_now ? sync_folder(folder + "/..") : Unit{});
    TRY(check_plain_folder(folder, folder.substr(root.size() + 1)));
  }
  return folder;
}

Result<Unit> JsonLinesFile::append(std::string_view lines) const {
  return append_made([&] { return Result<std::string>(std::string(lines)); });
}

Result<Unit> JsonLinesFile::append_made(const std::function<Result<std::string>()>& make_lines,
                                        Durability durability, const std::function<void()>& appended) const {
  OpenedPath folder = TRY(open_state_folder(root_, parent_path(path_)));
  Fd fd(::openat(folder.fd.get(), std::string(base_name(path_)).c_str(),
                 O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return memory_error(path_, "write");
  TRY(lock(fd.get(), path_));
  std::string lines = TRY(make_lines());
  struct stat st;
  if (::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) return memory_error(path_, "write");
  if (!lines.empty() && !append_lines(fd.get(), lines + "\n")) return memory_error(path_, "write");
  if (appended) appended();
  if (lines.empty()) return Unit{};
  return durability == Durability::machine_crash ? sync_file(fd.get()) : Unit{};
}

JsonLinesStat JsonLinesFile::current_stat() const {
  Result<FileStat> stat = stat_state_path(root_, path_);
  if (!stat || kind_of(*stat) != FileKind::file) return {};
  return {.device = stat->device, .inode = stat->inode, .size = stat->size, .mtime_ns = stat->mtime_ns};
}

Result<std::optional<OpenedPath>> JsonLinesFile::open() const {
  Result<OpenedPath> opened = open_state_file(root_, path_);
  if (!opened && opened.error().code == ErrorCode::not_found) return std::optional<OpenedPath>();
  if (!opened) return std::move(opened).error();
  if (opened->stat.size > file_bytes_max)
    return Error(ErrorCode::too_large, path_in_sentence(path_) + " has more than " +
                                           std::to_string(file_bytes_max >> 20) +
                                           " MiB; move its oldest lines to another file.");
  return std::optional<OpenedPath>(*std::move(opened));
}

Result<std::int64_t> JsonLinesFile::for_each_line(
    std::int64_t begin, const std::function<void(std::string_view line)>& take) const {
  std::optional<OpenedPath> file = TRY(open());
  if (!file || file->stat.size <= begin) return begin;
  if (::lseek(file->fd.get(), begin, SEEK_SET) != begin) return memory_error(path_, "read");
  std::string piece;    // Begins at the start of a line.
  bool is_cut = false;  // The beginning of the current line was passed on; the rest is skipped.
  std::int64_t left = file->stat.size - begin;
  std::int64_t taken = begin, at = begin;
  while (left > 0) {
    std::size_t got = TRY(
        read_and_append(file->fd.get(), piece, static_cast<std::size_t>(std::min(left, tail_read_bytes))));
    if (got == 0) break;
    left -= static_cast<std::int64_t>(got);
    std::string_view rest = piece;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      if (!std::exchange(is_cut, false) && end > 0) take(rest.substr(0, end));
      at += static_cast<std::int64_t>(end) + 1;
      taken = at;
      rest.remove_prefix(end + 1);
    }
    if (rest.size() > json_line_bytes_max) {
      if (!std::exchange(is_cut, true)) take(rest.substr(0, json_line_bytes_max));
      at += static_cast<std::int64_t>(rest.size());
      rest = {};
    }
    piece.erase(0, piece.size() - rest.size());
  }
  return taken;
}

Result<std::string> JsonLinesFile::read(std::int64_t begin, std::size_t bytes) const {
  std::optional<OpenedPath> file = TRY(open());
  std::string found;
  if (!file || file->stat.size <= begin) return found;
  if (::lseek(file->fd.get(), begin, SEEK_SET) != begin) return memory_error(path_, "read");
  TRY(read_and_append(file->fd.get(), found, bytes));
  return found;
}

}  // namespace snapgen::core
