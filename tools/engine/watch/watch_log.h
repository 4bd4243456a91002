#pragma once
// WatchLog lets several readers use the watches of one tree. It moves the events from the kernel's queue to a
// bounded log, in which each reader has a position. A reader that is too far behind is lost.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/watch/folder_watches.h"
#include "tools/engine/watch/mount_changes.h"

namespace snapgen::core {

// Thread-safe, except release_fd().
class WatchLog {
 public:
  static constexpr std::size_t usual_events_max = 16'384;  // As in the kernel's queue, by default.

  // `events_max` is the maximum number of events that a reader may be behind.
  WatchLog(FolderWatches watches, MountChanges mounts, std::size_t events_max = usual_events_max)
      : watches_(std::move(watches)), mounts_(std::move(mounts)), events_max_(events_max) {}

  // A position in the log, from its construction on. It must be destroyed before the log.
  class Reader {
   public:
    explicit Reader(WatchLog& log);
    ~Reader();
    Reader(Reader&&) = delete;

   private:
    friend class WatchLog;
    WatchLog& log_;
    std::uint64_t next_ = 0;  // The number of the next event to read.
  };

  // Watches a folder, as FolderWatches::add().
  WatchAddition add(std::string_view folder);

  // Reads the kernel's queue, then passes the events that the reader has not read to `take`, in order, until
  // it returns false; that event is passed again. `take` must not call this object. Returns false if changes
  // can no longer be detected; loss_reason() says why.
  bool read(Reader& reader, const std::function<bool(const FolderEvent&)>& take);
  std::string loss_reason() const;

  // Moves the reader to the end of the log. Returns the folders that are watched there.
  std::vector<std::string> move_to_end(Reader& reader);

  // Reads the kernel's queue. Returns false if changes can no longer be detected.
  bool collect();
  // Returns whether the log has events for the reader. It does not read the kernel's queue.
  bool has_events_for(const Reader& reader) const;

  std::size_t size() const;                 // The number of watched folders.
  int fd() const { return watches_.fd(); }  // The inotify descriptor.
  Fd release_fd() { return watches_.release_fd(); }

 private:
  struct Event {
    std::string folder;
    std::string name;
    bool is_folder = false;
    bool is_name_change = false;
  };
  bool collect_locked();
  void remove_read_events();

  mutable std::mutex mutex_;  // Guards the members below.
  FolderWatches watches_;
  MountChanges mounts_;
  std::size_t events_max_;
  std::set<Reader*> readers_;
  std::deque<Event> events_;
  std::uint64_t first_ = 0;  // The number of the first event in events_.
  std::string loss_reason_;  // Empty while changes can be detected.
};

}  // namespace snapgen::core
