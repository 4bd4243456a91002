#include "runtime/streamable/replay_buffer.h"

#include "runtime/streamable/event_stream.h"

namespace snapgen::streamable {

ReplayBuffer::Position ReplayBuffer::add(EventStream& stream, std::size_t bytes) {
  bytes_ += bytes;
  return oldest_first_.insert(oldest_first_.end(), &stream);
}

void ReplayBuffer::remove(Position place, std::size_t bytes) {
  bytes_ -= bytes;
  oldest_first_.erase(place);
}

void ReplayBuffer::trim() {
  // The oldest of all events is also the oldest of its own stream.
  while (bytes_ > bytes_max_ && !oldest_first_.empty()) oldest_first_.front()->drop_oldest();
}

}  // namespace snapgen::streamable
