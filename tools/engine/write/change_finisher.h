#pragma once
// ChangeFinisher: finishes changes after their response was sent. It makes their results durable, which the
// journal could repeat until then, and deletes the replaced files. Syncing many files and freeing large ones
// may take the file system longer than the rest of a change. It also packs older undo snapshots (UndoStore).
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tools/engine/files/root.h"
#include "tools/engine/write/journal.h"
#include "tools/engine/write/staging_folder.h"

namespace snapgen::core {

// A change whose steps are all done.
struct UnsyncedChange {
  std::string transaction;
  std::vector<Step> steps;
  SnapshotFiles undo;
};

// Thread-safe. Its destructor waits until everything is finished, but not for other processes that have
// replaced files open: the next process collects what they write.
class ChangeFinisher {
 public:
  explicit ChangeFinisher(const Root& root) : root_(root) {}  // `root` must outlive this.
  ChangeFinisher(ChangeFinisher&&) = delete;
  ~ChangeFinisher() = default;

  // Finishes the change on another thread, or directly if no thread can start. If the disk fails, the next
  // writer recovers the change.
  void finish(StagingFolder folder, UnsyncedChange change);

  // Collects late writes of earlier processes (late_writes.h) on another thread, until none remains.
  void collect_late_writes(StagingFolder folder);

  // Waits until all earlier changes are durable; deleting replaced files may still continue.
  void wait_until_durable();

 private:
  struct Work {
    StagingFolder folder;
    UnsyncedChange change;
  };
  void start(std::unique_lock<std::mutex> lock);
  void run(const std::stop_token& stop);
  void finish_all(std::vector<Work> taken);
  void pack_if_due(UndoStore& undos, std::size_t changes);

  const Root& root_;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::condition_variable_any wake_;
  std::optional<StagingFolder> late_writes_;  // The folder with late writes that have not ended.
  std::vector<Work> pending_;
  std::size_t unfinished_ = 0;  // Changes that are not durable yet.
  bool running_ = false;
  std::size_t changes_until_pack_ = 1;
  bool packing_ = false;
  std::jthread packer_;  // Not the thread below, because wait_until_durable() must not wait for it.
  std::jthread thread_;  // Last member: the thread uses the others until it is joined.
};

}  // namespace snapgen::core
