#include "tools/engine/watch/watch_log.h"

#include <algorithm>

#include "tools/engine/files/path.h"

namespace snapgen::core {

WatchLog::Reader::Reader(WatchLog& log) : log_(log) {
  const std::lock_guard lock(log_.mutex_);
  next_ = log_.first_ + log_.events_.size();
  log_.readers_.insert(this);
}

WatchLog::Reader::~Reader() {
  const std::lock_guard lock(log_.mutex_);
  log_.readers_.erase(this);
  log_.remove_read_events();
}

WatchAddition WatchLog::add(std::string_view folder) {
  const std::lock_guard lock(mutex_);
  WatchAddition added = watches_.add(folder);
  // The folder was just moved from a path that is still watched, if its event is queued.
  if (added.result == AddResult::has_other_path && collect_locked()) added = watches_.add(folder);
  return added;
}

bool WatchLog::collect_locked() {
  if (!loss_reason_.empty()) return false;
  if (mounts_.have_happened()) loss_reason_ = MountChanges::sentence;
  const bool is_complete = watches_.drain([this](const FolderEvent& event) {
    if (readers_.empty()) return;
    events_.push_back({.folder = std::string(event.folder),
                       .name = std::string(event.name),
                       .is_folder = event.is_folder,
                       .is_name_change = event.is_name_change});
  });
  if (!is_complete && loss_reason_.empty())
    loss_reason_ = "too much changed at once, or the folder was moved";
  if (!loss_reason_.empty()) events_.clear();
  while (events_.size() > events_max_) {
    events_.pop_front();
    ++first_;
  }
  return loss_reason_.empty();
}

bool WatchLog::collect() {
  const std::lock_guard lock(mutex_);
  return collect_locked();
}

bool WatchLog::read(Reader& reader, const std::function<bool(const FolderEvent&)>& take) {
  const std::lock_guard lock(mutex_);
  if (!collect_locked() || reader.next_ < first_) return false;
  for (; reader.next_ < first_ + events_.size(); ++reader.next_) {
    const Event& event = events_[reader.next_ - first_];
    const FolderEvent passed{.folder = event.folder,
                             .name = event.name,
                             .is_folder = event.is_folder,
                             .is_name_change = event.is_name_change};
    if (!take(passed)) break;
  }
  remove_read_events();
  return true;
}

// Call it under mutex_.
void WatchLog::remove_read_events() {
  std::uint64_t unread = first_ + events_.size();
  for (const Reader* const reader : readers_) unread = std::min(unread, reader->next_);
  for (; first_ < unread; ++first_) events_.pop_front();
}

std::string WatchLog::loss_reason() const {
  const std::lock_guard lock(mutex_);
  return loss_reason_.empty() ? "too much changed at once" : loss_reason_;
}

std::vector<std::string> WatchLog::move_to_end(Reader& reader) {
  const std::lock_guard lock(mutex_);
  collect_locked();
  reader.next_ = first_ + events_.size();
  remove_read_events();
  return watches_.folders();
}

bool WatchLog::has_events_for(const Reader& reader) const {
  const std::lock_guard lock(mutex_);
  return !loss_reason_.empty() || reader.next_ < first_ + events_.size();
}

std::size_t WatchLog::size() const {
  const std::lock_guard lock(mutex_);
  return watches_.size();
}

}  // namespace snapgen::core
