#include "tools/engine/write/content.h"

#include <cerrno>
#include <climits>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/store/blobs/byte_source.h"
#include "tools/engine/store/snapshots/privacy.h"

namespace snapgen::core {
namespace {

constexpr std::uint32_t permission_bits = 0777;

Result<Unit> write_all(int fd, std::string_view bytes, std::string_view path) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return write_error(errno, path);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return Unit{};
}

Result<BlobId> copy_rest(int from, int to, std::string_view path, const std::stop_token& stop) {
  Sha256 hasher;
  std::string piece;
  while (true) {
    if (stop.stop_requested()) return cancelled_write_error();
    piece.clear();
    std::size_t got = TRY(read_and_append(from, piece, piece_bytes));
    if (got == 0) return BlobId{.digest = hasher.digest()};
    hasher.update(piece);
    if (to < 0) continue;
    TRY(write_all(to, piece, path));
  }
}

constexpr const char* access_list = "system.posix_acl_access";

// Copies access lists and user attributes. A failure does not prevent the write.
void copy_attributes(int from, int to) {
  // Removes the access list that the folder gave the new file, if the old file has none. It is checked first,
  // because each change causes an event for watchers of the folder, under a name that the file never has
  // there.
  const bool has_other_list =
      ::fgetxattr(from, access_list, nullptr, 0) < 0 && ::fgetxattr(to, access_list, nullptr, 0) >= 0;
  if (has_other_list) ::fremovexattr(to, access_list);
  ssize_t size = ::flistxattr(from, nullptr, 0);
  if (size <= 0) return;
  std::vector<char> names(static_cast<std::size_t>(size));
  size = ::flistxattr(from, names.data(), names.size());
  std::vector<char> value(64 << 10);  // The kernel's limit for one value.
  for (ssize_t at = 0; at < size;) {
    std::string_view name = names.data() + at;
    at += static_cast<ssize_t>(name.size()) + 1;
    if (!name.starts_with("user.") && name != access_list) continue;
    ssize_t bytes = ::fgetxattr(from, name.data(), value.data(), value.size());
    if (bytes >= 0) ::fsetxattr(to, name.data(), value.data(), static_cast<std::size_t>(bytes), 0);
  }
}

Result<Unit> inherit(int fd, const TreeWrite& write, const StagingLocation& location,
                     const InheritedMetadata& inherited) {
  struct stat mine;
  struct stat theirs;
  if (::fstat(fd, &mine) != 0) return system_error(errno, "write", write.change.path);
  if (inherited.fd >= 0 && ::fstat(inherited.fd, &theirs) == 0) {
    // The new file has the owner of the one that it replaces. Only root can set another owner: for any other
    // user, the process that wrote the file owns it, as with git.
    bool other_owner = theirs.st_uid != mine.st_uid || theirs.st_gid != mine.st_gid;
    if (other_owner && ::fchown(fd, theirs.st_uid, theirs.st_gid) != 0) errno = 0;
    copy_attributes(inherited.fd, fd);
  }
  const bool is_exact = (location.mode & exact_permissions_flag) != 0;
  if (inherited.stat == nullptr && !is_exact && !write.change.permissions) return Unit{};
  std::uint32_t mode = location.mode & permission_bits;
  if (inherited.stat != nullptr) mode = permissions_for_mode(inherited.stat->mode, write.change.mode);
  if (write.change.permissions) mode = *write.change.permissions;
  if (mode == (mine.st_mode & 07777)) return Unit{};
  if (::fchmod(fd, mode) != 0) return system_error(errno, "set the mode of", write.change.path);
  return Unit{};
}

// Creates a file in the staging folder. If possible, it is created without a name (O_TMPFILE) in its
// destination folder, so that it gets the group, access list and disk location of that folder.
Fd made_file(const StagingLocation& location, bool executable) {
  const mode_t mode = (executable ? 0777 : 0666) & location.mode;
  if (location.destination_folder >= 0) {
    Fd fd(::openat(location.destination_folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode));
    std::string open_file = "/proc/self/fd/" + std::to_string(fd.get());
    if (fd &&
        ::linkat(AT_FDCWD, open_file.c_str(), location.folder, location.name.c_str(), AT_SYMLINK_FOLLOW) == 0)
      return fd;
  }
  return Fd(::openat(location.folder, location.name.c_str(),
                     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
}

Result<StagedContent> stage_symlink(const Root& root, const TreeWrite& write, int folder,
                                    const std::string& name) {
  const TreeChange& change = write.change;
  std::string target = change.bytes;
  if (change.kind == TreeChange::Kind::copy) {
    Result<std::string> read = root.read_link(change.from);
    if (!read) return changed_meanwhile_error(change.from);
    target = std::move(*read);
    Result<FileStat> stat = root.lstat(change.from);
    if (!stat || *stat != write.source->stat) return changed_meanwhile_error(change.from);
  }
  if (::symlinkat(target.c_str(), folder, name.c_str()) != 0) return write_error(errno, change.path);
  struct stat st;
  if (::fstatat(folder, name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0)
    return system_error(errno, "examine", change.path);
  return StagedContent{.stat = file_stat(st), .blob = blob_id_of(target)};
}

}  // namespace

Error changed_meanwhile_error(std::string_view path) {
  return Error(ErrorCode::repo_changed, path_in_sentence(path) +
                                            " was changed by another process meanwhile; nothing was written. "
                                            "Read it again, then repeat the call.");
}

Error write_error(int number, std::string_view path) {
  Error error = system_error(number, "write", path);
  if (number == ENOSPC || number == EDQUOT || number == EFBIG)
    return Error(
        ErrorCode::unavailable,
        path_in_sentence(path) +
            " could not be written, and nothing was changed. The disk is full, or a quota or the limit "
            "of file sizes is reached: free space, or raise the limit, and try again.",
        {}, error.cause);
  return error;
}

std::uint32_t permissions_for_mode(std::uint32_t before, FileMode mode) {
  std::uint32_t permissions = before & permission_bits;
  if (mode != FileMode::executable) return permissions & ~std::uint32_t{0111};
  return (permissions & 0100) != 0 ? permissions : permissions | ((permissions & 0444) >> 2);
}

Result<BlobId> blob_at(int folder, const std::string& name, const FileStat& stat, std::string_view path) {
  if (S_ISLNK(stat.mode)) {
    char target[PATH_MAX];
    ssize_t size = ::readlinkat(folder, name.c_str(), target, sizeof target);
    if (size < 0) return changed_meanwhile_error(path);
    return blob_id_of({target, static_cast<std::size_t>(size)});
  }
  Fd fd(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!fd) return system_error(errno, "read", path);
  return copy_rest(fd.get(), -1, path, {});
}

Result<StagedContent> stage_file(const Root& root, const TreeWrite& write, const StagingLocation& location,
                                 const InheritedMetadata& inherited, const BlobId* known,
                                 const std::stop_token& stop) {
  const TreeChange& change = write.change;
  if (change.mode == FileMode::symlink) return stage_symlink(root, write, location.folder, location.name);
  Fd fd = made_file(location, change.mode == FileMode::executable);
  if (!fd) return write_error(errno, change.path);
  TRY(inherit(fd.get(), write, location, inherited));

  BlobId blob;
  if (change.kind == TreeChange::Kind::copy) {
    Result<OpenedPath> source = root.open_file(change.from);
    if (!source || !source->followed_symlinks.empty() || source->stat != write.source->stat)
      return changed_meanwhile_error(change.from);
    BlobId copied = TRY(copy_rest(source->fd.get(), fd.get(), change.path, stop));
    Result<FileStat> after = stat_of_fd(source->fd.get(), change.from);
    bool steady = after && *after == source->stat && (!write.source->blob || *write.source->blob == copied);
    if (!steady) return changed_meanwhile_error(change.from);
    blob = copied;
  } else {
    TRY(write_all(fd.get(), change.bytes, change.path));
    blob = known != nullptr ? *known : blob_id_of(change.bytes);
  }
  FileStat stat = TRY(stat_of_fd(fd.get(), change.path));
  return StagedContent{.stat = stat, .blob = blob};
}

}  // namespace snapgen::core
