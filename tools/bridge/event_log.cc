#include "tools/bridge/event_log.h"

#include <algorithm>
#include <utility>

namespace snapgen::core {

std::size_t EventLog::bytes_of(const LoggedEvent& event) {
  return sizeof(LoggedEvent) + event.session_id.size() + event.timestamp.size() + event.payload.size();
}

void EventLog::add(LoggedEvent event) {
  event.number = next_number_++;
  bytes_ += bytes_of(event);
  events_.push_back(std::move(event));
  while (events_.size() > count_max_ || (bytes_ > bytes_max_ && events_.size() > 1)) {
    bytes_ -= bytes_of(events_.front());
    events_.pop_front();
  }
}

EventLog::Page EventLog::read(std::int64_t from, std::size_t count,
                              const std::function<bool(const LoggedEvent&)>& wanted) const {
  Page page;
  const std::int64_t first = next_number_ - static_cast<std::int64_t>(events_.size());
  from = std::clamp<std::int64_t>(from, 1, next_number_);
  page.missed_count = std::max<std::int64_t>(0, first - from);
  page.next_number = std::max(from, first);
  for (; page.next_number != next_number_ && page.events.size() < count; ++page.next_number) {
    const LoggedEvent& event = events_[static_cast<std::size_t>(page.next_number - first)];
    if (wanted(event)) page.events.push_back(&event);
  }
  return page;
}

}  // namespace snapgen::core
