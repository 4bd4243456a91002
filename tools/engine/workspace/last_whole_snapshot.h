#pragma once
// LastWholeSnapshot: the last snapshot of the whole workspace, and the watched files that it captured. While
// the watch has seen no change of any file, the snapshot is still the present state.
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "tools/engine/git/walk/file_list.h"
#include "tools/engine/read/view.h"

namespace snapgen::core {

// Thread-safe.
class LastWholeSnapshot {
 public:
  struct Capture {
    std::string hex;  // The snapshot's hexadecimal id.
    SkippedCounts skipped;
  };

  // `files`: the files of the watched tree that the snapshot captured; null without a watch.
  void set(Capture capture, const std::shared_ptr<const FileList>& files) {
    const std::lock_guard lock(mutex_);
    capture_ = std::move(capture);
    files_ = files;
  }

  // Returns the snapshot if it captured exactly this object. Files with several hard links may change without
  // an event, so with such files it returns nullopt.
  std::optional<Capture> find(const std::shared_ptr<const FileList>& files) const {
    const std::lock_guard lock(mutex_);
    const bool is_same = files && files_.lock() == files && files->hard_linked_indexes().empty();
    return is_same ? std::optional(capture_) : std::nullopt;
  }

 private:
  mutable std::mutex mutex_;
  Capture capture_;
  std::weak_ptr<const FileList> files_;
};

}  // namespace snapgen::core
