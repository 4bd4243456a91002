#pragma once
// OwnWatch watches a tree through this process's inotify(7) descriptor, and can offer the watch to others.
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/watch/watch_log.h"
#include "tools/engine/watch/watch_server.h"
#include "tools/engine/watch/watch_source.h"

namespace snapgen::core {

class OwnWatch final : public WatchSource {
 public:
  // Can watch at most `folders_max` folders below `root`, which is absolute. Errors: unavailable.
  static Result<std::unique_ptr<OwnWatch>> open(const std::string& root, std::size_t folders_max);

  WatchAddition add(std::string_view folder) override { return log_.add(folder); }
  bool drain(const std::function<void(const FolderEvent&)>& take) override;
  const std::string& loss_reason() const override { return loss_reason_; }
  std::size_t size() const override { return log_.size(); }
  int fd() const override { return readable_.get(); }
  bool is_own() const override { return true; }
  bool offer(const std::string& folder, const std::string& root) override;
  Fd release_fd() override;

 private:
  OwnWatch(FolderWatches watches, MountChanges mounts, Fd unread, Fd readable)
      : log_(std::move(watches), std::move(mounts)),
        unread_(std::move(unread)),
        readable_(std::move(readable)),
        reader_(log_) {}

  WatchLog log_;
  Fd unread_;    // An eventfd(2), readable when server_ has read events from the kernel's queue.
  Fd readable_;  // An epoll(7) descriptor: the kernel's queue, and unread_.
  WatchLog::Reader reader_;
  std::string loss_reason_;
  std::unique_ptr<WatchServer> server_;  // Null unless the watch is offered.
};

}  // namespace snapgen::core
