#pragma once
// EventLog: the last things that browsers told of, by number. Of what went by unread its count remains.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace snapgen::core {

struct LoggedEvent {
  std::int64_t number = 0;  // From 1, without gaps.
  std::string session_id;
  int type = 0;  // The caller's.
  std::string timestamp;
  std::string payload;  // One JSON object, or empty.
};

class EventLog {
 public:
  // Keeps at most so many, and so many bytes of them.
  EventLog(std::size_t count_max, std::size_t bytes_max) : count_max_(count_max), bytes_max_(bytes_max) {}

  void add(LoggedEvent event);
  // One that is not kept.
  void drop() { ++dropped_; }
  // All that were never kept.
  std::int64_t dropped() const { return dropped_; }

  struct Page {
    std::vector<const LoggedEvent*> events;  // Valid until the next add().
    std::int64_t next = 1;                   // The number to go on with.
    std::int64_t missed = 0;                 // Those from `from` on that are kept no more.
  };
  // The events from number `from` on that are wanted, at most `count` of them.
  Page read(std::int64_t from, std::size_t count,
            const std::function<bool(const LoggedEvent&)>& wanted) const;
  // The number that the next event gets.
  std::int64_t next() const { return next_; }
  std::size_t size() const { return events_.size(); }

 private:
  static std::size_t bytes_of(const LoggedEvent& event);

  std::size_t count_max_;
  std::size_t bytes_max_;
  std::deque<LoggedEvent> events_;
  std::size_t bytes_ = 0;
  std::int64_t next_ = 1;
  std::int64_t dropped_ = 0;
};

}  // namespace snapgen::core
