#include "tools/engine/git/walk/walk_listener.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "tools/engine/git/repository/discover.h"
#include "tools/engine/git/repository/disk.h"
#include "tools/engine/git/repository/index.h"

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

void notify_of_tracked_folders(const Index& index, std::size_t begin, std::size_t end,
                               WalkListener& listener) {
  std::string_view entered;  // The last reported folder, with a trailing slash.
  std::string_view absent;   // A folder that does not exist, with a trailing slash.
  for (std::size_t i = begin; i < end; ++i) {
    const std::string_view path = index.entries()[i].path;
    const std::string_view above = path.substr(0, path.rfind('/') + 1);
    if (above == entered || (!absent.empty() && above.starts_with(absent))) continue;
    std::size_t at = 0;
    for (std::size_t k = 0; k < above.size() && k < entered.size() && above[k] == entered[k]; ++k) {
      if (above[k] == '/') at = k + 1;
    }
    for (; at < above.size(); at = above.find('/', at) + 1) {
      const std::size_t slash = above.find('/', at);
      if (listener.add_folder_dependency(above.substr(0, slash))) continue;
      absent = above.substr(0, slash + 1);
      break;
    }
    entered = above.substr(0, at);
  }
}

}  // namespace snapgen::core::git
