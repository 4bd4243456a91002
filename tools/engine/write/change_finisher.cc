#include "tools/engine/write/change_finisher.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "tools/engine/base/thread.h"

namespace snapgen::core {

namespace {

// The intervals at which to check whether the writers of replaced files have ended.
constexpr std::chrono::milliseconds first_interval(100);
constexpr std::chrono::milliseconds longest_interval(5000);

// The number of changes after which undo snapshots are packed again.
constexpr std::size_t changes_per_pack = 64;

}  // namespace

void ChangeFinisher::finish(StagingFolder folder, UnsyncedChange change) {
  std::unique_lock lock(mutex_);
  pending_.push_back({.folder = std::move(folder), .change = std::move(change)});
  ++unfinished_;
  start(std::move(lock));
}

void ChangeFinisher::collect_late_writes(StagingFolder folder) {
  std::unique_lock lock(mutex_);
  late_writes_ = std::move(folder);
  start(std::move(lock));
}

void ChangeFinisher::start(std::unique_lock<std::mutex> lock) {
  wake_.notify_all();
  if (std::exchange(running_, true)) return;
  thread_ = try_start_thread([this](const std::stop_token& stop) { run(stop); });
  if (thread_.joinable()) return;
  lock.unlock();
  // Without a thread, the next process collects the late writes.
  std::stop_source stopped;
  stopped.request_stop();
  run(stopped.get_token());
}

void ChangeFinisher::wait_until_durable() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return unfinished_ == 0; });
}

void ChangeFinisher::run(const std::stop_token& stop) {
  std::chrono::milliseconds interval = first_interval;
  while (true) {
    std::vector<Work> taken;
    std::optional<StagingFolder> late;
    {
      std::unique_lock lock(mutex_);
      if (late_writes_ && pending_.empty())
        wake_.wait_for(lock, stop, interval, [this] { return !pending_.empty(); });
      taken = std::exchange(pending_, {});
      late = std::exchange(late_writes_, std::nullopt);
      if (taken.empty() && (!late || stop.stop_requested())) {
        running_ = false;
        return;
      }
    }
    interval = taken.empty() ? std::min(interval * 2, longest_interval) : first_interval;
    if (!taken.empty()) {
      Result<StagingFolder> folder = taken.front().folder.duplicate();
      const std::size_t changes = taken.size();
      finish_all(std::move(taken));
      if (folder && !stop.stop_requested()) pack_if_due(folder->undos(), changes);
      if (folder) late = *std::move(folder);
    }
    if (!late || !late->collect_late_writes()) continue;
    const std::lock_guard lock(mutex_);
    if (!late_writes_) late_writes_ = std::move(late);
  }
}

void ChangeFinisher::finish_all(std::vector<Work> taken) {
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

void ChangeFinisher::pack_if_due(UndoStore& undos, std::size_t changes) {
  {
    const std::lock_guard lock(mutex_);
    changes_until_pack_ -= std::min(changes_until_pack_, changes);
    if (changes_until_pack_ > 0 || packing_) return;
    changes_until_pack_ = changes_per_pack;
    packing_ = true;
  }
  packer_ = try_start_thread([this, &undos](const std::stop_token& stop) {
    undos.pack_older(stop);
    const std::lock_guard lock(mutex_);
    packing_ = false;
  });
  if (packer_.joinable()) return;
  const std::lock_guard lock(mutex_);
  packing_ = false;
}

}  // namespace snapgen::core
