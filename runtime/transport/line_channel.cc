#include "runtime/transport/line_channel.h"

#include <cassert>
#include <span>

#include "runtime/base/result.h"

namespace snapgen {
LineChannel::LineChannel(ReadyQueue& loop, Stream& stream, std::size_t message_bytes_max, Millis output_stall)
    : port_(loop.port()),
      stream_(stream),
      output_stall_(output_stall),
      frames_(message_bytes_max),
      arrived_(loop),
      output_progress_(loop) {
  stream_.set_listener(this);
}

LineChannel::~LineChannel() {
  port_.cancel(output_timer_);
  stream_.watch_readable(false);
  stream_.watch_writable(false);
  stream_.set_listener(nullptr);
}

Task<bool> LineChannel::wait(std::stop_token stop) {
  assert(!is_waiting_);
  if (frames_.has_frame()) co_return true;
  frames_.shrink();
  if (input_ended_) co_return false;
  if (!watches_input_) {
    watches_input_ = true;
    stream_.watch_readable(true);
  }
  is_waiting_ = true;
  arrived_.reset();
  Result<Unit> done = co_await arrived_.wait(stop);
  is_waiting_ = false;
  static_cast<void>(done);  // Arrived messages are returned even after a stop.
  co_return frames_.has_frame();
}

void LineChannel::on_readable() {
  if (!is_waiting_ || frames_.has_frame()) {
    // No coroutine waits for messages. The data remains in the kernel, which blocks the peer.
    watches_input_ = false;
    stream_.watch_readable(false);
    return;
  }
  std::span<char> space = frames_.read_buffer();
  Stream::Transferred read = stream_.read(space);
  frames_.commit(read.bytes);
  if (read.closed) {
    frames_.end_input();
    input_ended_ = true;
    watches_input_ = false;
    stream_.watch_readable(false);
  }
  if (input_ended_ || frames_.has_frame()) arrived_.set();
}

void LineChannel::send(std::string_view message) {
  out_.append_buffer().append(message);
  commit_outgoing();
}

void LineChannel::commit_outgoing() {
  if (output_broken_) return out_.clear();
  out_.append_buffer().push_back('\n');
}

void LineChannel::flush() {
  // If the stream is full, on_writable() continues later.
  if (!watches_output_ && !out_.empty()) write();
}

void LineChannel::write() {
  Stream::Transferred written = stream_.write(out_.view());
  out_.remove_front(written.bytes);
  if (written.closed) {
    out_.clear();
    output_broken_ = input_ended_ = true;
    arrived_.set();
  }
  if (watches_output_ == out_.empty()) {
    watches_output_ = !out_.empty();
    stream_.watch_writable(watches_output_);
  }
  if (written.bytes == 0 && !output_broken_) return;
  if (output_timer_.is_set()) start_output_timer();
  output_progress_.set();
}

void LineChannel::on_writable() { write(); }

void LineChannel::start_output_timer() {
  port_.cancel(output_timer_);
  if (output_stall_ != Millis(0)) port_.start(output_timer_, output_stall_);
}

void LineChannel::OutputTimer::ring() {
  channel.output_is_late_ = true;
  channel.output_progress_.set();
}

Task<bool> LineChannel::wait_drained(std::size_t bytes, std::stop_token stop) {
  flush();
  output_is_late_ = false;
  if (unsent_bytes() > bytes) start_output_timer();
  while (unsent_bytes() > bytes && !output_is_late_) {
    output_progress_.reset();
    Result<Unit> done = co_await output_progress_.wait(stop);
    if (!done) break;
  }
  port_.cancel(output_timer_);
  co_return unsent_bytes() <= bytes && !output_broken_;
}

}  // namespace snapgen
