#pragma once
// OwnWrites: the files that this process changed in the work tree since the last moment of the history, so
// that the moment tells them from changes of other processes.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/engine/files/file_stat.h"
#include "tools/engine/store/blobs/blob_id.h"
#include "tools/engine/store/caches/file_record.h"

namespace snapgen::core {

struct OwnWrite {
  std::string path;
  std::optional<BlobId> blob;  // The new content; nullopt: the file was deleted.
  FileStat stat = {};          // Of the new file.
  // The file before; nullopt if there was none. Its content may be unknown.
  std::optional<FileRecord> before = {};
  std::uint64_t change = 0;  // Equal for all files of one change; set by add().
};

// Thread-safe.
class OwnWrites {
 public:
  static constexpr std::size_t writes_max = 100'000;  // The oldest are forgotten.

  // Sets the function that add() calls, on any thread; an empty function removes it.
  void set_listener(std::function<void()> listener) {
    const std::lock_guard lock(mutex_);
    listener_ = std::move(listener);
  }

  // Adds the files of one change.
  void add(std::vector<OwnWrite> writes) {
    const std::lock_guard lock(mutex_);
    ++changes_;
    for (OwnWrite& write : writes) write.change = changes_;
    std::move(writes.begin(), writes.end(), std::back_inserter(writes_));
    if (writes_.size() > writes_max)
      writes_.erase(writes_.begin(), writes_.end() - static_cast<std::ptrdiff_t>(writes_max));
    if (listener_) listener_();
  }

  // Removes and returns all writes, in their order.
  std::vector<OwnWrite> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(writes_, {});
  }

 private:
  std::mutex mutex_;
  std::function<void()> listener_;
  std::uint64_t changes_ = 0;
  std::vector<OwnWrite> writes_;
};

}  // namespace snapgen::core
