#include "runtime/transport/line_channel.h"

#include <cassert>
#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "runtime/async/event.h"
#include "runtime/async/port.h"
#include "runtime/async/ready_queue.h"
#include "runtime/async/stream.h"
#include "runtime/async/task.h"
#include "runtime/base/result.h"
#include "runtime/transport/frames.h"

namespace snapgen {
LineChannel::LineChannel(ReadyQueue& loop, Stream& stream, std::size_t message_bytes_max, Millis taking)
    : port_(loop.port()),
      stream_(stream),
      taking_(taking),
      frames_(message_bytes_max),
      arrived_(loop),
      moved_(loop) {
  stream_.set_listener(this);
}

LineChannel::~LineChannel() {
  port_.cancel(clock_);
  stream_.watch_readable(false);
  stream_.watch_writable(false);
  stream_.set_listener(nullptr);
}

Task<bool> LineChannel::wait(std::stop_token stop) {
  assert(!waiting_);
  if (frames_.ready()) co_return true;
  frames_.reclaim();
  if (ended_) co_return false;
  if (!reading_) {
    reading_ = true;
    stream_.watch_readable(true);
  }
  waiting_ = true;
  arrived_.reset();
  Result<Unit> came = co_await arrived_.wait(stop);
  waiting_ = false;
  static_cast<void>(came);  // Arrived messages are returned even after a stop.
  co_return frames_.ready();
}

void LineChannel::on_readable() {
  if (!waiting_ || frames_.ready()) {
    // No coroutine waits for messages. The data remains in the kernel, which blocks the peer.
    reading_ = false;
    stream_.watch_readable(false);
    return;
  }
  std::span<char> space = frames_.space();
  Stream::Transferred read = stream_.read(space);
  frames_.commit(read.bytes);
  if (read.closed) {
    frames_.close();
    ended_ = true;
    reading_ = false;
    stream_.watch_readable(false);
  }
  if (ended_ || frames_.ready()) arrived_.set();
}

void LineChannel::send(std::string_view message) {
  out_.tail().append(message);
  sent();
}

void LineChannel::sent() {
  if (broken_) return out_.clear();
  out_.tail().push_back('\n');
}

void LineChannel::flush() {
  // If the stream is full, on_writable() continues later.
  if (!writing_ && !out_.empty()) write();
}

void LineChannel::write() {
  Stream::Transferred written = stream_.write(out_.view());
  out_.take(written.bytes);
  if (written.closed) {
    out_.clear();
    broken_ = ended_ = true;
    arrived_.set();
  }
  if (writing_ == out_.empty()) {
    writing_ = !out_.empty();
    stream_.watch_writable(writing_);
  }
  if (written.bytes == 0 && !broken_) return;
  if (clock_.is_set()) start_clock();
  moved_.set();
}

void LineChannel::on_writable() { write(); }

void LineChannel::start_clock() {
  port_.cancel(clock_);
  if (taking_ != Millis(0)) port_.start(clock_, taking_);
}

void LineChannel::Clock::ring() {
  channel.late_ = true;
  channel.moved_.set();
}

Task<bool> LineChannel::drained(std::size_t bytes, std::stop_token stop) {
  flush();
  late_ = false;
  if (unsent() > bytes) start_clock();
  while (unsent() > bytes && !late_) {
    moved_.reset();
    Result<Unit> came = co_await moved_.wait(stop);
    if (!came) break;
  }
  port_.cancel(clock_);
  co_return unsent() <= bytes && !broken_;
}

}  // namespace snapgen
