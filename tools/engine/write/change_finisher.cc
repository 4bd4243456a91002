#include "tools/engine/write/change_finisher.h"

#include <utility>

#include "tools/engine/base/thread.h"

namespace snapgen::core {

void ChangeFinisher::finish(StagingFolder folder, UnsyncedChange change) {
  {
    std::lock_guard lock(mutex_);
    pending_.push_back({.folder = std::move(folder), .change = std::move(change)});
    ++unfinished_;
    if (std::exchange(running_, true)) return;
    thread_ = try_start_thread([this] { run(); });
    if (thread_.joinable()) return;
  }
  run();
}

void ChangeFinisher::wait_until_durable() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return unfinished_ == 0; });
}

void ChangeFinisher::run() {
  while (true) {
    std::vector<Work> taken;
    {
      std::lock_guard lock(mutex_);
      taken = std::exchange(pending_, {});
      if (taken.empty()) {
        running_ = false;
        return;
      }
    }
    // If a journal could not be deleted, its staged files are still needed.
    std::erase_if(taken, [&](Work& work) {
      const bool finished(
          work.folder.finish(root_, work.change.transaction, work.change.steps, work.change.undo));
      std::lock_guard lock(mutex_);
      if (--unfinished_ == 0) idle_.notify_all();
      return !finished;
    });
    for (Work& work : taken) work.folder.discard(root_, work.change.transaction, work.change.steps, {});
  }
}

}  // namespace snapgen::core
