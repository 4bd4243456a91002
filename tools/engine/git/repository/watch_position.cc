#include "tools/engine/git/repository/watch_position.h"

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include <sys/inotify.h>

#include "tools/engine/files/root.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

constexpr int branch_folders_max = 1000;

}  // namespace

Result<Fd> watch_position(const Repository& repository) {
  Fd fd(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  // git replaces these files by renames.
  constexpr std::uint32_t changes = IN_MOVED_TO | IN_DELETE | IN_ONLYDIR;
  if (!fd || ::inotify_add_watch(fd.get(), repository.git_dir().c_str(), changes) < 0)
    return system_error(errno, "watch", repository.git_dir());
  if (repository.common_dir() != repository.git_dir())
    ::inotify_add_watch(fd.get(), repository.common_dir().c_str(), changes);
  const std::string branches = repository.common_dir() + "/refs/heads";
  ::inotify_add_watch(fd.get(), branches.c_str(), changes | IN_CREATE);
  std::error_code error;
  int count = 0;
  for (fs::recursive_directory_iterator each(branches, error), end; !error && each != end;
       each.increment(error))
    if (each->is_directory(error) && ++count <= branch_folders_max)
      ::inotify_add_watch(fd.get(), each->path().c_str(), changes | IN_CREATE);
  return fd;
}

}  // namespace snapgen::core
