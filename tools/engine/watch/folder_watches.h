#pragma once
// FolderWatches watches many folders of one tree through inotify(7). The kernel queues an event before the
// system call that caused it returns, so a read of the queue finds every change made before it.
//
// It does not detect writes through a mapping (until it is closed) or through a hard link outside the
// folders. Nor does it detect mounts, and changes made on another machine or below an overlay.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <sys/inotify.h>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"

namespace snapgen::core {

// The inotify events for the creation, removal and move of names.
inline constexpr std::uint32_t name_event_mask = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;

struct FolderEvent {
  std::string_view folder;      // Relative to the root, without a trailing slash; empty for the root.
  std::string_view name;        // In that folder; empty for the folder itself.
  bool is_folder = false;       // `name` is a folder.
  bool is_name_change = false;  // The name, or without a name the folder, was created, deleted or moved.
};

enum class AddResult : std::uint8_t {
  watched,
  absent,          // There is no such folder.
  has_other_path,  // The folder is watched under another path.
  limit_reached,   // The system or the caller allows no further watch.
  refused,         // It cannot be watched for another reason.
};

struct WatchAddition {
  AddResult result = AddResult::watched;
  std::string refusal;  // Why the folder is not watched; empty if it is watched or absent.
};

// Not thread-safe.
class FolderWatches {
 public:
  // Makes an object that can watch at most `folders_max` folders below `root`, which is absolute. Errors:
  // unavailable.
  static Result<FolderWatches> open(std::string root, std::size_t folders_max);

  // Passes the inotify descriptor to the caller, who closes it. No calls are allowed afterwards.
  Fd release_fd() { return std::move(fd_); }

  // The descriptor is readable when events are queued.
  int fd() const { return fd_.get(); }
  std::size_t size() const { return folders_.size(); }

  std::vector<std::string> folders() const;

  // Watches a folder; a repeated call has no effect.
  WatchAddition add(std::string_view folder);

  // Removes the watches of a folder and of all folders below it.
  void forget(std::string_view folder);

  // Passes the queued events to `take`, in order. A folder that was created, moved or deleted is forgotten
  // after its event, because its path may now name another folder. Returns false if events were lost.
  bool drain(const std::function<void(const FolderEvent&)>& take);

 private:
  FolderWatches(std::string root, Fd fd, std::size_t folders_max)
      : root_(std::move(root)), fd_(std::move(fd)), folders_max_(folders_max) {}
  bool is_trusted_device(const std::string& path);

  using Folders = std::map<std::string, int, std::less<>>;  // Watch descriptors by path.
  std::string root_;
  Fd fd_;
  std::size_t folders_max_;
  Folders folders_;
  std::unordered_map<int, Folders::const_iterator> by_number_;
  std::vector<std::uint64_t> devices_;  // Devices whose file systems report every change.
};

// Passes every queued event of a non-blocking inotify(7) descriptor to `take`, in order. Returns true if the
// queue is empty, and false if `take` returned false or the read failed.
bool drain_events(int fd, const std::function<bool(const inotify_event&)>& take);

// Returns true if the file system at `path` reports every change to this kernel. False if it is missing.
bool reports_every_change(const std::string& path);

// The most folders that are watched, whatever the user's limit is: about 30 MB of memory.
inline constexpr std::size_t watched_folders_of_any_limit_max = 100'000;
// Returns how many folders one tree may watch: half of the user's limit.
std::size_t watched_folders_max();

}  // namespace snapgen::core
