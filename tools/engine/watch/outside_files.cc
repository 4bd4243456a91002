#include "tools/engine/watch/outside_files.h"

#include <cerrno>
#include <utility>

#include <sys/inotify.h>
#include <sys/stat.h>

#include "tools/engine/git/repository/disk.h"
#include "tools/engine/watch/folder_watches.h"

namespace snapgen::core {
namespace {

constexpr std::uint32_t moved_itself = IN_MOVE_SELF | IN_DELETE_SELF;
// The events of a parent folder, which may be replaced or closed.
constexpr std::uint32_t on_the_way = moved_itself | IN_ATTRIB | IN_ONLYDIR | IN_DONT_FOLLOW | IN_MASK_ADD;
constexpr std::uint32_t of_names = on_the_way | name_event_mask | IN_MODIFY | IN_CLOSE_WRITE;

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

bool OutsideFiles::are_unchanged() {
  const bool quiet = is_quiet();
  const bool same = is_same_by_stat();
  if (!quiet || !same) is_known_unchanged_ = false;
  return is_known_unchanged_;
}

void OutsideFiles::mark_read(std::vector<std::string> paths) {
  if (!must_rewatch_ && paths == paths_) {
    is_known_unchanged_ = true;
    return;
  }
  // The watches begin after the files were read, so the files must be read again.
  is_known_unchanged_ = false;
  paths_ = std::move(paths);
  watch();
}

// Processes the kernel's queue. Returns whether it had no event of importance.
bool OutsideFiles::is_quiet() {
  if (!fd_) return true;
  bool quiet = true;
  const bool drained = drain_events(fd_.get(), [&](const inotify_event& event) {
    const auto folder = folders_.find(event.wd);
    const bool overflown = (event.mask & IN_Q_OVERFLOW) != 0;
    // The event is from a removed watch.
    if (folder == folders_.end() && !overflown) return true;
    const bool itself = event.len == 0;
    if (overflown || itself) {
      must_rewatch_ = true;
      quiet = false;
      return true;
    }
    if (!folder->second.all_names && !folder->second.names.contains(event.name)) return true;
    quiet = false;
    if ((event.mask & name_event_mask) != 0) must_rewatch_ = true;
    return true;
  });
  if (!drained) must_rewatch_ = true;
  return drained && quiet;
}

bool OutsideFiles::is_same_by_stat() {
  bool same = true;
  for (StatCheckedFile& other : stat_checked_files_) {
    const std::int64_t now = git::file_clock_ns();
    std::optional<FileStat> stat = git::stat_of(other.path);
    same = same && other.stat_proves_content && stat == other.stat;
    other.stat_proves_content = !stat || git::stat_proves_content(*stat, now);
    other.stat = stat;
  }
  return same;
}

void OutsideFiles::watch() {
  // Remove the watches one by one, because closing the descriptor takes the kernel long.
  for (const auto& [number, folder] : folders_) ::inotify_rm_watch(fd_.get(), number);
  if (!fd_) fd_ = Fd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  folders_.clear();
  stat_checked_files_.clear();
  must_rewatch_ = false;
  for (const std::string& path : paths_)
    if (!fd_ || !watch(path)) stat_checked_files_.push_back({.path = path, .stat = {}});
}

// Watches `path`. Returns false if only its stat can show changes.
bool OutsideFiles::watch(const std::string& path) {
  std::string folder = parent_of(path);
  std::string name = path.substr(path.rfind('/') + 1);
  std::optional<std::string> real = git::real_path(folder);
  // If the folder does not exist yet, watch the next parent for its creation.
  while (!real && folder != "/") {
    // The path exists but cannot be resolved.
    if (git::lstat_of(folder)) return false;
    name = folder.substr(folder.rfind('/') + 1);
    folder = parent_of(folder);
    real = git::real_path(folder);
  }
  if (real != folder || name.empty()) return false;
  if (!watch_folder(folder, name, false)) return false;
  struct stat st;
  if (::lstat(path.c_str(), &st) != 0) return errno == ENOENT;
  if (S_ISDIR(st.st_mode)) return watch_folder(path, {}, true);
  return S_ISREG(st.st_mode) && st.st_nlink == 1;
}

bool OutsideFiles::watch_folder(const std::string& path, const std::string& name, bool all_names) {
  if (!reports_every_change(path)) return false;
  for (std::string at = path; at != "/"; at = parent_of(at)) {
    const int number = ::inotify_add_watch(fd_.get(), at.c_str(), at == path ? of_names : on_the_way);
    if (number < 0) return false;
    Folder& folder = folders_[number];
    if (at != path) continue;
    if (!name.empty()) folder.names.insert(name);
    folder.all_names = folder.all_names || all_names;
  }
  return path != "/";
}

}  // namespace snapgen::core
