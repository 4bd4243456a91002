#include "tools/engine/files/beneath.h"

#include "tools/engine/files/durable.h"

namespace snapgen::core {

Result<std::string> read_beneath(const std::string& root, std::string_view path, std::uint64_t bytes_max,
                                 SymlinkPolicy links) {
  Root folder = TRY(Root::open(root));
  OpenedPath opened = TRY(folder.open_file(path, links));
  return read_open_file(opened.fd.get(), path, bytes_max);
}

Result<std::string> read_state_file(const std::string& root, std::string_view path, std::uint64_t bytes_max) {
  return read_beneath(root, path, bytes_max, SymlinkPolicy::refused);
}

Result<OpenedPath> open_state_file(const std::string& root, std::string_view path) {
  Root folder = TRY(Root::open(root));
  return folder.open_file(path, SymlinkPolicy::refused);
}

Result<OpenedPath> open_state_folder(const std::string& root, std::string_view path) {
  Root folder = TRY(Root::open(root));
  return folder.open_folder(path, SymlinkPolicy::refused);
}

Result<FileStat> stat_state_path(const std::string& root, std::string_view path) {
  Root folder = TRY(Root::open(root));
  return folder.lstat(path, SymlinkPolicy::refused);
}

bool is_state_folder(const std::string& root, std::string_view path) {
  Result<FileStat> stat = stat_state_path(root, path);
  return stat && kind_of(*stat) == FileKind::folder;
}

}  // namespace snapgen::core
