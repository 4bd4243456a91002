#include "tools/engine/files/folder_names.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>

#include "runtime/base/fd.h"

namespace snapgen::core {
namespace {

FolderNames names_in(Fd folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(folder ? ::fdopendir(folder.get()) : nullptr,
                                                    &::closedir);
  if (!entries) return {.names = {}, .error = errno};
  folder.take();  // `entries` owns the descriptor.
  FolderNames found;
  errno = 0;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") found.names.emplace_back(name);
  }
  found.error = errno;
  std::ranges::sort(found.names);
  return found;
}

}  // namespace

FolderNames names_in_folder(const std::string& folder) {
  return names_in(Fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
}

FolderNames names_in_folder(int folder) {
  return names_in(Fd(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
}

}  // namespace snapgen::core
