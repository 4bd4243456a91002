#include "tools/engine/watch/folder_watches.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

// IN_CLOSE_WRITE covers mappings: a file that was mapped and written to is closed when its mapping ends.
constexpr std::uint32_t wanted = name_event_mask | IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_DELETE_SELF |
                                 IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK;

// File systems whose changes all pass through the local kernel (statfs(2)).
constexpr std::uint64_t local_file_systems[] = {
    0xEF53,      // ext2, ext3, ext4
    0x58465342,  // xfs
    0x9123683E,  // btrfs
    0x01021994,  // tmpfs
    0x858458F6,  // ramfs
    0xF2F52010,  // f2fs
    0x2FC12FC1,  // zfs
    0xCA451A4E,  // bcachefs
    0x3153464A,  // jfs
    0x794C7630,  // overlayfs
};

}  // namespace

Result<FolderWatches> FolderWatches::open(std::string root, std::size_t folders_max) {
  Fd fd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!fd) {
    return Error(
        ErrorCode::unavailable,
        "The system does not allow another watch of folders. Raise fs.inotify.max_user_instances, or the "
        "limit of open files.",
        {}, std::strerror(errno));
  }
  return FolderWatches(std::move(root), std::move(fd), folders_max);
}

std::vector<std::string> FolderWatches::folders() const {
  std::vector<std::string> out;
  out.reserve(folders_.size());
  for (const auto& [folder, number] : folders_) out.push_back(folder);
  return out;
}

WatchAddition FolderWatches::add(std::string_view folder) {
  if (folders_.find(folder) != folders_.end()) return {};
  if (folders_.size() >= folders_max_) return {AddResult::limit_reached, "it has too many folders"};
  std::string path = root_;
  if (!folder.empty()) path.append(1, '/').append(folder);
  const int number = ::inotify_add_watch(fd_.get(), path.c_str(), wanted);
  if (number < 0) {
    if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) return {AddResult::absent, {}};
    if (errno == ENOSPC)
      return {AddResult::limit_reached, "the system's limit of watched folders is reached"};
    return {AddResult::refused, "a folder cannot be watched: " + std::string(std::strerror(errno))};
  }
  if (by_number_.contains(number)) return {AddResult::has_other_path, "a folder can be reached by two paths"};
  const auto added = folders_.emplace(folder, number).first;
  by_number_.emplace(number, added);
  if (!is_trusted_device(path)) {
    forget(folder);
    return {AddResult::refused, "it is on a file system that may change without notice"};
  }
  return {};
}

bool FolderWatches::is_trusted_device(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) return true;  // A deleted folder is reported by its parent's watch.
  const std::uint64_t device = status.st_dev;
  if (std::find(devices_.begin(), devices_.end(), device) != devices_.end()) return true;
  if (!reports_every_change(path)) return false;
  devices_.push_back(device);
  return true;
}

void FolderWatches::forget(std::string_view folder) {
  const auto end_watch = [&](Folders::iterator at) {
    ::inotify_rm_watch(fd_.get(), at->second);
    by_number_.erase(at->second);
    return folders_.erase(at);
  };
  if (const auto itself = folders_.find(folder); itself != folders_.end()) end_watch(itself);
  std::string below(folder);
  if (!below.empty()) below += '/';
  for (auto at = folders_.lower_bound(below); at != folders_.end() && at->first.starts_with(below);) {
    at = end_watch(at);
  }
}

bool FolderWatches::drain(const std::function<void(const FolderEvent&)>& take) {
  return drain_events(fd_.get(), [&](const inotify_event& event) {
    if ((event.mask & (IN_Q_OVERFLOW | IN_UNMOUNT)) != 0) return false;
    const auto known = by_number_.find(event.wd);
    if (known == by_number_.end()) return true;
    const Folders::const_iterator folder = known->second;
    if ((event.mask & IN_IGNORED) != 0) {
      take(FolderEvent{.folder = folder->first, .name = {}, .is_folder = true, .is_name_change = true});
      by_number_.erase(known);
      folders_.erase(folder);
      return true;
    }
    // A folder's own move or deletion is also reported by the watch of its parent, which only the root lacks.
    if ((event.mask & (IN_DELETE_SELF | IN_MOVE_SELF)) != 0) return !folder->first.empty();
    const FolderEvent passed{.folder = folder->first,
                             .name = event.len > 0 ? std::string_view(event.name) : std::string_view(),
                             .is_folder = (event.mask & IN_ISDIR) != 0,
                             .is_name_change = (event.mask & name_event_mask) != 0};
    take(passed);
    if (passed.is_folder && passed.is_name_change) forget(joined_path(passed.folder, passed.name));
    return true;
  });
}

bool drain_events(int fd, const std::function<bool(const inotify_event&)>& take) {
  alignas(inotify_event) char buffer[16 << 10];
  while (true) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return true;
    if (got <= 0) return false;
    for (ssize_t at = 0; at < got;) {
      const auto* const event = reinterpret_cast<const inotify_event*>(buffer + at);
      at += static_cast<ssize_t>(sizeof *event + event->len);
      if (!take(*event)) return false;
    }
  }
}

bool reports_every_change(const std::string& path) {
  struct statfs system;
  if (::statfs(path.c_str(), &system) != 0) return false;
  const auto type = static_cast<std::uint32_t>(system.f_type);
  return std::find(std::begin(local_file_systems), std::end(local_file_systems), type) !=
         std::end(local_file_systems);
}

std::size_t watched_folders_max() {
  constexpr std::size_t usual = 8192;
  // One read returns the whole value or fails.
  char text[32];
  const Fd file(::open("/proc/sys/fs/inotify/max_user_watches", O_RDONLY | O_CLOEXEC));
  const ssize_t length = file ? ::read(file.get(), text, sizeof text) : 0;
  std::size_t limit = 0;
  for (const char c : std::string_view(text, length > 0 ? static_cast<std::size_t>(length) : 0)) {
    if (c < '0' || c > '9') break;
    limit = std::min<std::size_t>(limit * 10 + static_cast<std::size_t>(c - '0'),
                                  watched_folders_of_any_limit_max * 2);
  }
  return std::min(watched_folders_of_any_limit_max, (limit == 0 ? usual : limit) / 2);
}

}  // namespace snapgen::core
