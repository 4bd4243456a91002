#include "tools/core/write/sweeper.h"

#include <utility>

namespace snapgen::core {

void Sweeper::finish(StagingFolder folder, Unfinished change) {
  std::lock_guard lock(mutex_);
  pending_.push_back({.folder = std::move(folder), .change = std::move(change)});
  if (std::exchange(running_, true)) return;
  thread_ = std::jthread([this] { run(); });
}

void Sweeper::wait() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return !running_; });
}

void Sweeper::run() {
  while (true) {
    std::vector<Work> taken;
    {
      std::lock_guard lock(mutex_);
      taken = std::exchange(pending_, {});
      if (taken.empty()) {
        running_ = false;
        idle_.notify_all();
        return;
      }
    }
    for (Work& work : taken)
      static_cast<void>(work.folder.finish(root_, work.change.transaction, work.change.steps));
  }
}

}  // namespace snapgen::core
