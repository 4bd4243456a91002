#include "tools/engine/write/parent_folders.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>

#include "tools/engine/files/path.h"

namespace snapgen::core {

Result<int> ParentFolders::open_parent_of(std::string_view path) {
  if (path.empty()) return empty_path_error();
  std::string_view parent = parent_path(path);
  if (is_reserved_path(path)) return reserved_path_error(path);
  if (opened_ && opened_->path == parent) return opened_->fd.get();
  close_opened();
  Result<OpenedPath> opened = root_.open_folder(parent);
  if (!opened && opened.error().code == ErrorCode::invalid_argument)
    return Error(ErrorCode::not_found, "There is no folder " + path_in_sentence(parent) + ".");
  if (!opened) return std::move(opened).error();
  if (!opened->followed_symlinks.empty()) {
    return Error(ErrorCode::permission_denied, path_in_sentence(path) + " is beyond the symlink " +
                                                   path_in_sentence(opened->followed_symlinks.front()) +
                                                   ", through which nothing is written. Pass the path of "
                                                   "the folder that it leads to.");
  }
  opened_ = std::move(*opened);
  return opened_->fd.get();
}

Result<std::optional<FileStat>> stat_at(int folder, const std::string& name, std::string_view path) {
  struct stat st;
  if (::fstatat(folder, name.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0) return std::optional(file_stat(st));
  // A name that is too long cannot exist.
  if (errno == ENOENT || errno == ENAMETOOLONG) return std::optional<FileStat>();
  return system_error(errno, "examine", path);
}

}  // namespace snapgen::core
