#include "runtime/transport/memory.h"

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
    : port_(loop.port()), pace_(std::move(pace)), took_(loop) {}

MemoryPeer::~MemoryPeer() {
  port_.cancel(arrival_);
  port_.cancel(taking_);
}

void MemoryPeer::send(std::string_view bytes) {
  sent_.append_buffer().append(bytes);
  plan_arrival();
}

void MemoryPeer::end_sending() {
  ended_ = true;
  plan_arrival();
}

void MemoryPeer::stop_reading() {
  hung_up_ = true;
  written_.clear();
  plan_taking();
}

void MemoryPeer::pause_reading() {
  paused_ = true;
  port_.cancel(taking_);
}

void MemoryPeer::resume_reading() {
  paused_ = false;
  plan_taking();
}

void MemoryPeer::watch_readable(bool on) {
  watching_readable_ = on;
  plan_arrival();
}

void MemoryPeer::watch_writable(bool on) {
  watching_writable_ = on;
  plan_taking();
}

Stream::Transferred MemoryPeer::read(std::span<char> into) {
  std::size_t bytes = std::min(into.size(), here_);
  if (bytes == 0) return {.closed = end_here_};
  std::memcpy(into.data(), sent_.view().data(), bytes);
  sent_.remove_front(bytes);
  here_ -= bytes;
  plan_arrival();
  return {.bytes = bytes};
}

Stream::Transferred MemoryPeer::write(std::string_view bytes) {
  if (hung_up_) return {.closed = true};
  bytes = bytes.substr(0, pace_.capacity - written_.size());
  written_.append_buffer().append(bytes);
  plan_taking();
  return {.bytes = bytes.size()};
}

void MemoryPeer::plan_arrival() {
  if (arrival_.is_set()) return;
  if (here_ > 0 || end_here_) {
    if (watching_readable_) port_.start(arrival_, Millis(0));
  } else if (!sent_.empty() || ended_) {
    Step step = pace_.arrival();
    next_arrival_ = step.bytes;
    port_.start(arrival_, step.delay);
  }
}

void MemoryPeer::arrive() {
  if (here_ == 0 && !end_here_) {
    here_ = std::min(next_arrival_, sent_.size());
    end_here_ = here_ == 0;
  }
  if (watching_readable_ && listener_) listener_->on_readable();
  plan_arrival();
}

void MemoryPeer::plan_taking() {
  if (taking_.is_set()) return;
  if (!written_.empty() && !paused_) {
    Step step = pace_.reading();
    next_taking_ = step.bytes;
    port_.start(taking_, step.delay);
  } else if (watching_writable_ && (hung_up_ || written_.size() < pace_.capacity)) {
    next_taking_ = 0;
    port_.start(taking_, Millis(0));
  }
}

void MemoryPeer::take() {
  std::size_t bytes = std::min(next_taking_, written_.size());
  taken_.append(written_.view().substr(0, bytes));
  written_.remove_front(bytes);
  if (bytes > 0) took_.set();
  bool room = hung_up_ || written_.size() < pace_.capacity;
  if (watching_writable_ && room && listener_) listener_->on_writable();
  plan_taking();
}

}  // namespace snapgen
