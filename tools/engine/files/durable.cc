#include "tools/engine/files/durable.h"

#include <cerrno>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/engine/base/random.h"
#include "tools/engine/files/exchange.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t abandoned_seconds = 3600;

Error io_error(std::string_view doing, std::string_view path) {
  int number = errno;
  std::string what = std::string(doing) + " " + std::string(path) + ": " + std::strerror(number);
  switch (number) {
    case ENOENT:
      return Error(ErrorCode::not_found, "There is no file or folder " + std::string(path) + ".", {}, what);
    case ENOSPC:
    case EDQUOT:
      return Error(ErrorCode::unavailable,
                   "The disk is full and nothing was written. Free some space and try again.", {}, what);
    case EFBIG:
      return Error(ErrorCode::unavailable,
                   "A limit on the size of files (ulimit -f) was reached and nothing was written. Raise it "
                   "and try again.",
                   {}, what);
    default: return Error(ErrorCode::unavailable, "Cannot " + what + ".", {}, what);
  }
}

}  // namespace

Result<Unit> make_folders(const std::string& folder) {
  // Only git makes its own folder. Another one would be in the way of a copy that the user moves back.
  if (folder.ends_with("/.git") && ::access(folder.c_str(), F_OK) != 0)
    return Error(ErrorCode::unavailable,
                 path_in_sentence(folder) +
                     " was deleted, and nothing can be saved without it. Restore it, or run `git init`.");
  if (::mkdir(folder.c_str(), 0700) != 0) {
    if (errno == EEXIST) return Unit{};
    std::size_t slash = folder.rfind('/');
    if (errno != ENOENT || slash == std::string::npos || slash == 0)
      return io_error("make the folder", folder);
    TRY(make_folders(folder.substr(0, slash)));
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return io_error("make the folder", folder);
  }
  return sync_folder(folder + "/..");
}

Result<Unit> make_file_if_missing(const std::string& folder, const std::string& name,
                                  std::string_view bytes) {
  const std::string path = folder + "/" + name;
  Fd fd(::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600));
  if (fd) {
    TRY(write_at(fd.get(), bytes, 0));
    const std::string unnamed = "/proc/self/fd/" + std::to_string(fd.get());
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0 ||
        errno == EEXIST)
      return Unit{};
  }
  // The file system does not support O_TMPFILE, so the file is created under its name.
  fd = Fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd) return errno == EEXIST ? Result<Unit>(Unit{}) : io_error("write", path);
  Result<Unit> done = write_at(fd.get(), bytes, 0);
  if (!done) ::unlink(path.c_str());
  return done;
}

Result<bool> make_git_ignored_folder(const std::string& folder, mode_t mode, std::string_view rules) {
  if (::mkdir(folder.c_str(), mode) != 0)
    return errno == EEXIST ? Result<bool>(false) : io_error("make the folder", folder);
  Result<Unit> hidden = make_file_if_missing(folder, ".gitignore", rules);
  if (hidden) return true;
  // The folder is removed again, because without its .gitignore it would be visible to git.
  ::rmdir(folder.c_str());
  return std::move(hidden).error();
}

Result<Unit> make_snapback_folder(const std::string& root) {
  constexpr std::string_view rules =
      "# Written by snapgen, so that its own files never change `git status`. Force-add what you want to "
      "share.\n*\n";
  Result<bool> made = make_git_ignored_folder(root + "/.snapback", 0755, rules);
  return made ? Unit{} : Result<Unit>(std::move(made).error());
}

std::string not_a_folder_sentence(std::string_view name) {
  return path_in_sentence(name) + " is not a folder; nothing is written through it.";
}

Result<Unit> check_plain_folder(const std::string& path, std::string_view name) {
  struct stat st;
  if (::lstat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode)) return Unit{};
  return Error(ErrorCode::permission_denied, not_a_folder_sentence(name) + " Move it away and try again.",
               hint_details("Ask the user to move it away."));
}

Result<Unit> replace_file(const std::string& folder, std::string_view name, std::string_view bytes,
                          Durability durability) {
  PendingFile written = TRY(PendingFile::write(folder, name, bytes, durability));
  return written.replace_target();
}

Result<PendingFile> PendingFile::write(const std::string& folder, std::string_view name,
                                       std::string_view bytes, Durability durability) {
  PendingFile made(folder, folder + "/" + std::string(temporary_prefix) + random_name(16),
                   folder + "/" + std::string(name), durability);
  Fd fd(::open(made.temporary_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd) {
    made.temporary_path_.clear();
    return io_error("write", made.path_);
  }
  TRY(write_at(fd.get(), bytes, 0));
  if (durability == Durability::machine_crash) TRY(sync_file(fd.get()));
  return made;
}

PendingFile::~PendingFile() {
  if (!temporary_path_.empty()) ::unlink(temporary_path_.c_str());
}

Result<Unit> PendingFile::replace_target() {
  if (::rename(temporary_path_.c_str(), path_.c_str()) != 0) return io_error("write", path_);
  temporary_path_.clear();
  return sync_as_required();
}

Result<bool> PendingFile::create_target() {
  errno = move_no_replace(AT_FDCWD, temporary_path_, AT_FDCWD, path_);
  if (errno == EEXIST) return false;
  if (errno != 0) return io_error("write", path_);
  temporary_path_.clear();
  TRY(sync_as_required());
  return true;
}

Result<Unit> PendingFile::sync_as_required() const {
  return durability_ == Durability::machine_crash ? sync_folder(folder_) : Result<Unit>(Unit{});
}

Result<std::string> read_whole_file(const std::string& path, std::uint64_t bytes_max, SymlinkPolicy links) {
  // O_NONBLOCK avoids waiting for the writer of a FIFO.
  const int following = links == SymlinkPolicy::followed ? 0 : O_NOFOLLOW;
  Fd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | following));
  if (!fd && errno == ELOOP && links == SymlinkPolicy::refused) return symlink_error(path);
  if (!fd) return io_error("read", path);
  return read_open_file(fd.get(), path, bytes_max);
}

Result<std::string> read_open_file(int fd, std::string_view path, std::uint64_t bytes_max) {
  struct stat st;
  if (::fstat(fd, &st) != 0) return io_error("read", path);
  if (!S_ISREG(st.st_mode))
    return Error(ErrorCode::unavailable, path_in_sentence(path) + " is not a regular file.");
  const auto size = static_cast<std::uint64_t>(st.st_size);
  if (size > bytes_max)
    return Error(ErrorCode::too_large, path_in_sentence(path) + " has " + std::to_string(size) +
                                           " bytes, and at most " + std::to_string(bytes_max) +
                                           " are read; make it smaller, or move it away.");
  std::string bytes(size, '\0');
  TRY(read_at(fd, bytes.data(), bytes.size(), 0));
  return bytes;
}

Result<Unit> write_at(int fd, std::string_view bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("write", "the snapshot store");
    bytes.remove_prefix(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return Unit{};
}

Result<Unit> read_at(int fd, char* out, std::size_t size, std::uint64_t offset) {
  while (size > 0) {
    ssize_t n = ::pread(fd, out, size, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("read", "the snapshot store");
    if (n == 0)
      return Error(ErrorCode::unavailable, "A file of the snapshot store is shorter than expected.");
    out += n;
    size -= static_cast<std::size_t>(n);
    offset += static_cast<std::uint64_t>(n);
  }
  return Unit{};
}

Result<Unit> sync_file(int fd) {
  if (::fdatasync(fd) == 0) return Unit{};
  return io_error("sync", "the snapshot store");
}

void start_writeback(int fd, std::uint64_t offset, std::uint64_t bytes) {
  ::sync_file_range(fd, static_cast<off64_t>(offset), static_cast<off64_t>(bytes), SYNC_FILE_RANGE_WRITE);
}

Result<Unit> sync_folder(const std::string& folder) {
  Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd && ::fsync(fd.get()) == 0) return Unit{};
  return io_error("sync", folder);
}

void remove_old_temporaries(const std::string& folder) {
  const std::time_t now = std::time(nullptr);
  for (const std::string& name : names_in_folder(folder).names) {
    if (!name.starts_with(temporary_prefix)) continue;
    const std::string path = folder + "/" + name;
    struct stat st;
    if (::lstat(path.c_str(), &st) == 0 && st.st_mtim.tv_sec + abandoned_seconds < now)
      ::unlink(path.c_str());
  }
}

Result<bool> make_new_file(const std::string& folder, const std::string& name, std::string_view bytes) {
  PendingFile written = TRY(PendingFile::write(folder, name, bytes, Durability::machine_crash));
  return written.create_target();
}

}  // namespace snapgen::core
