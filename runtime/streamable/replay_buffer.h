#pragma once
// ReplayBuffer: the events that all event streams of an endpoint keep for clients that come back. Sessions
// that nobody uses any more have no end of their own, so what they keep is limited in all, and the oldest
// goes first.
//
// It outlives its event streams.
#include <cstddef>
#include <list>

namespace snapgen::streamable {

class EventStream;

class ReplayBuffer {
 public:
  // An event's, among all: it is there until it is given back.
  using Position = std::list<EventStream*>::iterator;

  explicit ReplayBuffer(std::size_t bytes_max) : bytes_max_(bytes_max) {}
  ReplayBuffer(ReplayBuffer&&) = delete;

  Position add(EventStream& stream, std::size_t bytes);
  void give_back(Position place, std::size_t bytes);
  // Event streams forget their oldest events until the others are within the limit.
  void trim();

 private:
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  std::list<EventStream*> oldest_first_;  // One entry for each event.
};

}  // namespace snapgen::streamable
