#include "tools/engine/git/walk/walk_listener.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "tools/engine/git/repository/discover.h"
#include "tools/engine/git/repository/disk.h"

namespace snapgen::core::git {

void notify_of_repository(WalkListener* listener, const std::string& root, int root_fd,
                          const std::string& folder) {
  if (listener == nullptr || !listener->add_folder_dependency(folder)) return;
  const std::string dot_git = folder + "/.git";
  struct stat status{};
  if (fstatat(root_fd, dot_git.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  const std::string full = joined_unless_absolute(root, dot_git);
  std::string git_dir = full;
  if (S_ISDIR(status.st_mode)) {
    listener->add_folder_dependency(dot_git);
  } else if (S_ISREG(status.st_mode)) {
    git_dir = git_dir_of_git_file(full).value_or(full);
  }
  for (const char* name : {"HEAD", "commondir", "objects", "refs"}) {
    const std::string path = git_dir + "/" + name;
    std::optional<FileStat> stat = stat_of(path);
    // Only a folder's existence and access matter, not its content.
    if (stat && S_ISDIR(stat->mode)) continue;
    listener->add_file_dependency(path, stat);
  }
}

}  // namespace snapgen::core::git
