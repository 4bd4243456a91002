#pragma once
// WatchSource reports the changes in the folders of one tree: OwnWatch through this process's inotify(7)
// descriptor, WatchClient through the watch of another process.
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "runtime/base/fd.h"
#include "tools/engine/watch/folder_watches.h"

namespace snapgen::core {

// Not thread-safe.
class WatchSource {
 public:
  virtual ~WatchSource() = default;
  WatchSource() = default;
  WatchSource(WatchSource&&) = delete;

  // Watches a folder, relative to the root, as FolderWatches::add().
  virtual WatchAddition add(std::string_view folder) = 0;

  // Passes to `take` every event that happened before the call and was not passed yet. A folder that was
  // created, moved or deleted is no longer watched, nor are the folders below it. Returns false if changes
  // can no longer be detected; loss_reason() says why.
  virtual bool drain(const std::function<void(const FolderEvent&)>& take) = 0;
  virtual const std::string& loss_reason() const = 0;

  virtual std::size_t size() const = 0;  // The number of watched folders.
  virtual int fd() const = 0;            // Readable when drain() may have events or fail.
  virtual bool is_own() const = 0;       // The watch belongs to this process.

  // Lets other processes use this watch, through a socket in `folder`. Returns false if it cannot; a later
  // call may succeed.
  virtual bool offer(const std::string& folder, const std::string& root) = 0;

  // Returns the descriptor that takes long to close, if there is one. No calls are allowed afterwards.
  virtual Fd release_fd() = 0;
};

}  // namespace snapgen::core
