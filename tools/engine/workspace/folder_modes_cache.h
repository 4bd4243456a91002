#pragma once
// FolderModesCache: the modes of the work tree's folders, which the next snapshot needs again, while the
// watch proves that no folder has changed.
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "tools/engine/store/snapshots/privacy.h"
#include "tools/engine/watch/live_tree.h"

namespace snapgen::core {

// Thread-safe.
class FolderModesCache {
 public:
  // Returns the cached modes; null if there are none, or a folder has changed since.
  std::shared_ptr<const FolderModes> current(LiveTree& tree) const {
    const std::lock_guard lock(mutex_);
    return modes_ && tree.folders_are_quiet_since(moment_) ? modes_ : nullptr;
  }

  // `moment`: of a listing with a file below each of the folders, so that all are watched. The modes were
  // examined later.
  void store(std::uint64_t moment, FolderModes modes) {
    auto stored = std::make_shared<const FolderModes>(std::move(modes));
    const std::lock_guard lock(mutex_);
    moment_ = moment;
    modes_ = std::move(stored);
  }

  void release_memory() {
    const std::lock_guard lock(mutex_);
    modes_.reset();
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t moment_ = 0;
  std::shared_ptr<const FolderModes> modes_;
};

}  // namespace snapgen::core
