#pragma once
// EventLog stores the latest events of the browsers by number, and counts those that it discarded.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace snapgen::core {

struct LoggedEvent {
  std::int64_t number = 0;  // The first event has number 1, and there are no gaps.
  std::string session_id;
  int type = 0;  // A type, whose numbers the caller of add() defines.
  std::string timestamp;
  std::string payload;  // The content of the event as one JSON object, or empty.
};

class EventLog {
 public:
  // Stores at most `count_max` events, and about `bytes_max` bytes.
  EventLog(std::size_t count_max, std::size_t bytes_max) : count_max_(count_max), bytes_max_(bytes_max) {}

  void add(LoggedEvent event);
  // Counts an event that is not stored.
  void count_dropped() { ++dropped_count_; }
  // Returns how many events count_dropped() has counted.
  std::int64_t dropped_count() const { return dropped_count_; }

  struct Page {
    std::vector<const LoggedEvent*> events;  // The events, which are valid until the next add().
    std::int64_t next_number = 1;            // The number from which to continue.
    // Number of events from `from` on that were discarded before they were read.
    std::int64_t missed_count = 0;
  };
  // Returns the events from number `from` on for which `wanted` is true, at most `count` of them.
  Page read(std::int64_t from, std::size_t count,
            const std::function<bool(const LoggedEvent&)>& wanted) const;
  // Returns the number of the next event.
  std::int64_t next_number() const { return next_number_; }
  std::size_t size() const { return events_.size(); }

 private:
  static std::size_t bytes_of(const LoggedEvent& event);

  std::size_t count_max_;
  std::size_t bytes_max_;
  std::deque<LoggedEvent> events_;
  std::size_t bytes_ = 0;
  std::int64_t next_number_ = 1;
  std::int64_t dropped_count_ = 0;
};

}  // namespace snapgen::core
