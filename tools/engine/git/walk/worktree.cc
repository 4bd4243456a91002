#include "tools/engine/git/walk/worktree.h"

#include <cerrno>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/fd.h"

namespace snapgen::core::git {

Presence PathProbe::stat(std::string_view path, struct stat& out) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) {
    const Presence above = probe_parents(path, slash + 1);
    if (above != Presence::present) return above;
  }
  const bool by_name = slash != std::string_view::npos && open_folder_fd_;
  buffer_.assign(by_name ? path.substr(slash + 1) : path);
  const int folder = by_name ? open_folder_fd_.get() : root_fd_;
  if (fstatat(folder, buffer_.c_str(), &out, AT_SYMLINK_NOFOLLOW) == 0) return Presence::present;
  return errno == ENOENT || errno == ENOTDIR ? Presence::missing : Presence::unknown;
}

Presence PathProbe::probe_parents(std::string_view path, std::size_t end) {
  const std::string_view above = path.substr(0, end);
  if (above == open_folder_) return Presence::present;
  if (!missing_folder_.empty() && above.starts_with(missing_folder_)) return Presence::missing;
  if (try_open(above)) return Presence::present;
  // The prefix that the path shares with the last good folder is known.
  std::size_t at = 0;
  for (std::size_t i = 0; i < above.size() && i < open_folder_.size() && above[i] == open_folder_[i]; ++i) {
    if (above[i] == '/') at = i + 1;
  }
  while (at < above.size()) {
    const std::size_t slash = above.find('/', at);
    buffer_.assign(above.substr(0, slash));
    struct stat status{};
    const bool there = fstatat(root_fd_, buffer_.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (!there && errno != ENOENT && errno != ENOTDIR) return Presence::unknown;
    if (!there || !S_ISDIR(status.st_mode)) {
      missing_folder_.assign(above.substr(0, slash + 1));
      return Presence::missing;
    }
    at = slash + 1;
  }
  open_folder_.assign(above);
  open_folder_fd_ = Fd(openat(root_fd_, open_folder_.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  return Presence::present;
}

// Opens a folder with one system call, if the kernel supports it and no component is a symlink.
bool PathProbe::try_open(std::string_view folder) {
  buffer_.assign(folder);
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  Fd fd(static_cast<int>(::syscall(SYS_openat2, root_fd_, buffer_.c_str(), &how, sizeof how)));
  if (!fd) return false;
  open_folder_.assign(folder);
  open_folder_fd_ = std::move(fd);
  return true;
}

}  // namespace snapgen::core::git
