#pragma once
// ReplayBuffer limits the events that all event streams of an endpoint retain for clients that reconnect.
// Abandoned sessions do not end by themselves, so the limit is global and the oldest events are dropped
// first.
//
// The buffer must outlive its event streams.
#include <cstddef>
#include <list>

namespace snapgen::streamable {

class EventStream;

class ReplayBuffer {
 public:
  // The position of an event among those of all streams; valid until remove().
  using Position = std::list<EventStream*>::iterator;

  explicit ReplayBuffer(std::size_t bytes_max) : bytes_max_(bytes_max) {}
  ReplayBuffer(ReplayBuffer&&) = delete;

  Position add(EventStream& stream, std::size_t bytes);
  void remove(Position place, std::size_t bytes);
  // Lets event streams drop their oldest events until the total is within the limit.
  void trim();

 private:
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  std::list<EventStream*> oldest_first_;  // One entry for each event.
};

}  // namespace snapgen::streamable
