#include "tests/transport/memory.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/async/port.h"
#include "runtime/async/ready_queue.h"
#include "runtime/async/stream.h"

namespace snapgen {

MemoryPeer::MemoryPeer(ReadyQueue& loop, Pace pace)
    : port_(loop.port()), pace_(std::move(pace)), received_more_(loop) {}

MemoryPeer::~MemoryPeer() {
  port_.cancel(arrival_alarm_);
  port_.cancel(reading_alarm_);
}

void MemoryPeer::send(std::string_view bytes) {
  sent_.append_buffer().append(bytes);
  plan_arrival();
}

void MemoryPeer::end_sending() {
  has_ended_sending_ = true;
  plan_arrival();
}

void MemoryPeer::stop_reading() {
  has_stopped_reading_ = true;
  unread_output_.clear();
  plan_reading();
}

void MemoryPeer::pause_reading() {
  reading_is_paused_ = true;
  port_.cancel(reading_alarm_);
}

void MemoryPeer::resume_reading() {
  reading_is_paused_ = false;
  plan_reading();
}

void MemoryPeer::watch_readable(bool on) {
  watching_readable_ = on;
  plan_arrival();
}

void MemoryPeer::watch_writable(bool on) {
  watching_writable_ = on;
  plan_reading();
}

Stream::Transferred MemoryPeer::read(std::span<char> into) {
  std::size_t bytes = std::min(into.size(), arrived_bytes_);
  if (bytes == 0) return {.closed = end_has_arrived_};
  std::memcpy(into.data(), sent_.view().data(), bytes);
  sent_.remove_front(bytes);
  arrived_bytes_ -= bytes;
  plan_arrival();
  return {.bytes = bytes};
}

Stream::Transferred MemoryPeer::write(std::string_view bytes) {
  if (has_stopped_reading_) return {.closed = true};
  bytes = bytes.substr(0, pace_.capacity - unread_output_.size());
  unread_output_.append_buffer().append(bytes);
  plan_reading();
  return {.bytes = bytes.size()};
}

void MemoryPeer::plan_arrival() {
  if (arrival_alarm_.is_set()) return;
  if (arrived_bytes_ > 0 || end_has_arrived_) {
    if (watching_readable_) port_.start(arrival_alarm_, Millis(0));
  } else if (!sent_.empty() || has_ended_sending_) {
    Step step = pace_.arrival();
    next_arrival_ = step.bytes;
    port_.start(arrival_alarm_, step.delay);
  }
}

void MemoryPeer::arrive() {
  if (arrived_bytes_ == 0 && !end_has_arrived_) {
    arrived_bytes_ = std::min(next_arrival_, sent_.size());
    end_has_arrived_ = arrived_bytes_ == 0;
  }
  if (watching_readable_ && listener_) listener_->on_readable();
  plan_arrival();
}

void MemoryPeer::plan_reading() {
  if (reading_alarm_.is_set()) return;
  if (!unread_output_.empty() && !reading_is_paused_) {
    Step step = pace_.reading();
    next_reading_ = step.bytes;
    port_.start(reading_alarm_, step.delay);
  } else if (watching_writable_ && (has_stopped_reading_ || unread_output_.size() < pace_.capacity)) {
    next_reading_ = 0;
    port_.start(reading_alarm_, Millis(0));
  }
}

void MemoryPeer::read_output() {
  std::size_t bytes = std::min(next_reading_, unread_output_.size());
  received_.append(unread_output_.view().substr(0, bytes));
  unread_output_.remove_front(bytes);
  if (bytes > 0) received_more_.set();
  bool room = has_stopped_reading_ || unread_output_.size() < pace_.capacity;
  if (watching_writable_ && room && listener_) listener_->on_writable();
  plan_reading();
}

}  // namespace snapgen
