#pragma once
// FolderWatches: many folders of one tree, watched by the kernel (inotify(7)). An event is in the queue
// before the system call that caused it returns, so whoever reads the queue knows of every change made
// before.
//
// What it cannot see: writes through a mapping (until it is closed) or through another name of the file
// outside the folders, changes made on another machine or below an overlay, and mounts.
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

// The inotify events of a name that is made, removed or moved.
inline constexpr std::uint32_t name_events = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;

struct FolderEvent {
  std::string_view folder;    // from the root, without a final slash; the root is empty
  std::string_view name;      // in that folder; empty: the folder itself
  bool about_folder = false;  // What has that name is a folder.
  bool moved = false;         // It came, went, or was replaced.
};

// Not thread-safe.
class FolderWatches {
 public:
  // `root`: absolute. `folders_max`: more are refused. Errors: unavailable.
  static Result<FolderWatches> open(std::string root, std::size_t folders_max);

  // What watches, to be closed by somebody else; nothing may be asked afterwards.
  Fd release() { return std::move(fd_); }

  // Readable when there is something to drain.
  int fd() const { return fd_.get(); }
  std::size_t size() const { return folders_.size(); }

  enum class Added : std::uint8_t { watched, absent, refused };
  // Watches a folder; again is no harm. absent: nothing there, or no folder. refused: it cannot be watched,
  // and refusal() says why.
  Added add(std::string_view folder);
  const std::string& refusal() const { return refusal_; }

  // Ends the watches of a folder and of all below it.
  void forget(std::string_view folder);

  // Hands over what is queued, in order. False: something was lost, and nothing is known any more.
  bool drain(const std::function<void(const FolderEvent&)>& take);

 private:
  FolderWatches(std::string root, Fd fd, std::size_t folders_max)
      : root_(std::move(root)), fd_(std::move(fd)), folders_max_(folders_max) {}
  Added refuse(std::string why);
  bool is_trusted_device(const std::string& path);

  using Folders = std::map<std::string, int, std::less<>>;  // the number of the watch, by path
  std::string root_;
  Fd fd_;
  std::size_t folders_max_;
  Folders folders_;
  std::unordered_map<int, Folders::const_iterator> by_number_;
  std::vector<std::uint64_t> devices_;  // whose file systems tell of every change
  std::string refusal_;
};

// Gives `take` every event that the kernel has queued for an inotify(7) descriptor that does not block, in
// order, until it returns false. True: there are no more. False: `take` said so, or the descriptor tells
// nothing.
bool drain_events(int fd, const std::function<bool(const inotify_event&)>& take);

// Whether the file system at `path` tells this machine's kernel of its every change. False where nothing is.
bool tells_of_changes(const std::string& path);

// How many folders one tree may have watched: half of what the user may watch in all, and no more memory than
// some 30 MB.
std::size_t watched_folders_max();

}  // namespace snapgen::core
