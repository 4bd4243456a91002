#include "tools/engine/write/write_target.h"

#include <iterator>

#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

Error dangling_symlink_error(std::string_view path) {
  return Error(
      ErrorCode::not_found,
      path_in_sentence(path) +
          " is a symlink to a path that does not exist. Delete the symlink first, or write to its target.");
}

bool is_symlink(const Root& root, std::string_view path) {
  Result<FileStat> stat = root.lstat(path);
  return stat && kind_of(*stat) == FileKind::symlink;
}

}  // namespace

Result<WriteTarget> find_write_target(const Root& root, std::string_view path, bool follow_last) {
  if (path.empty()) return empty_path_error();
  std::string_view folder = parent_path(path);
  Result<OpenedPath> opened = root.open_folder(folder);
  while (!opened && opened.error().code == ErrorCode::not_found && !folder.empty()) {
    if (is_symlink(root, folder)) return dangling_symlink_error(folder);
    folder = parent_path(folder);
    opened = root.open_folder(folder);
  }
  if (!opened) return std::move(opened).error();
  std::string_view rest = folder.empty() ? path : path.substr(folder.size() + 1);
  WriteTarget target{.path = joined_path(opened->path, rest),
                     .followed_symlinks = std::move(opened->followed_symlinks)};
  if (is_reserved_path(target.path)) return reserved_path_error(path);
  if (!follow_last || folder != parent_path(path) || !is_symlink(root, target.path)) return target;
  Result<OpenedPath> file = root.open_file(target.path);
  if (!file && file.error().code == ErrorCode::not_found) return dangling_symlink_error(path);
  if (!file) return std::move(file).error();
  target.path = std::move(file->path);
  target.followed_symlinks.insert(target.followed_symlinks.end(),
                                  std::make_move_iterator(file->followed_symlinks.begin()),
                                  std::make_move_iterator(file->followed_symlinks.end()));
  return target;
}

}  // namespace snapgen::core
