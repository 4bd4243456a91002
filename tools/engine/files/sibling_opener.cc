#include "tools/engine/files/sibling_opener.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>

#include "tools/engine/files/path.h"

namespace snapgen::core {

std::optional<FileStat> SiblingOpener::stat(const std::string& path) {
  struct stat st;
  int folder = open_parent(path, false);
  std::size_t name = path.rfind('/') + 1;  // 0 if there is no slash.
  if (folder >= 0 && !path.empty()) {
    if (::fstatat(folder, path.c_str() + name, &st, AT_SYMLINK_NOFOLLOW) == 0) return file_stat(st);
    return std::nullopt;
  }
  if (::fstatat(root_.fd(), path.empty() ? "." : path.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0)
    return file_stat(st);
  if (errno != ENAMETOOLONG) return std::nullopt;
  Result<FileStat> found = root_.lstat(path);
  if (!found) return std::nullopt;
  return *found;
}

Fd SiblingOpener::open(std::string_view path) {
  if (path.empty() || is_reserved_path(path)) return Fd();
  int folder = open_parent(path, true);
  if (folder < 0) return Fd();
  constexpr int reading = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW;
  return Fd(::openat(folder, base_name(path).data(), reading));
}

int SiblingOpener::open_parent(std::string_view path, bool beneath) {
  std::string_view folder = parent_path(path);
  if (folder.empty()) return root_.fd();
  if (fd_ && folder == folder_ && (is_symlink_free_ || !beneath)) return fd_.get();
  folder_.assign(folder);
  fd_.reset();
  if (beneath) {
    Result<OpenedPath> opened = root_.open_folder(folder);
    if (opened && opened->followed_symlinks.empty()) fd_ = std::move(opened->fd);
  } else {
    fd_ = Fd(::openat(root_.fd(), folder_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  is_symlink_free_ = beneath;
  return fd_.get();
}

}  // namespace snapgen::core
