#include "runtime/websocket/connection.h"

#include <cassert>
#include <utility>

namespace snapgen::websocket {

Connection::Connection(ReadyQueue& loop, Stream& stream, ReadBufferPool& read_buffers,
                       const ConnectionOptions& options, HandshakeResult opening)
    : stream_(stream),
      port_(loop.port()),
      read_buffers_(read_buffers),
      options_(options),
      endpoint_(options.endpoint, std::move(opening.terms)),
      early_bytes_(std::move(opening.already_read)),
      arrived_(loop),
      output_progress_(loop),
      heartbeat_alarm_(*this) {
  stream_.set_listener(this);
  if (!opening.response.empty()) {
    endpoint_.out().append_buffer() = std::move(opening.response);
    write();
    // An idle connection has no buffer, to save memory.
    endpoint_.out().release_memory();
  }
  if (options_.ping_interval.count() > 0) port_.start(heartbeat_alarm_, options_.ping_interval);
  if (early_bytes_.empty()) return;
  early_bytes_.reserve(early_bytes_.size() + MessageBuffer::padding);
  feed(early_bytes_);
}

Connection::~Connection() {
  port_.cancel(heartbeat_alarm_);
  stream_.watch_readable(false);
  stream_.watch_writable(false);
  stream_.set_listener(nullptr);
}

bool Connection::find_message() {
  if (!has_message_) {
    has_message_ = endpoint_.next(message_);
    take_pong();
    if (!has_message_) release_message();
  }
  return has_message_;
}

void Connection::release_message() {
  read_buffer_ = ReadBufferPool::ReadBuffer();
  if (!early_bytes_.empty()) std::string().swap(early_bytes_);
}

void Connection::take_pong() {
  const std::optional<std::uint64_t> number = endpoint_.take_pong();
  if (!number || !ping_open_ || *number != last_ping_) return;
  ping_open_ = false;
  missed_pings_ = 0;
}

void Connection::feed(std::span<char> bytes) {
  endpoint_.feed(bytes);
  find_message();
  if (!has_message_) flush();  // Sends pongs, or the Close after a failure.
}

bool Connection::next(Message& message) {
  if (!find_message()) {
    static_cast<void>(endpoint_.take_oversize());  // This caller gets the end of the connection only.
    return false;
  }
  message = message_;
  has_message_ = false;
  has_received_message_ = has_heard_message_ = true;
  return true;
}

bool Connection::next(Frame& frame) {
  if (!find_message()) {
    const std::optional<std::uint64_t> oversize = endpoint_.take_oversize();
    if (oversize) frame = {.kind = Frame::Kind::oversize, .bytes = *oversize};
    return oversize.has_value();
  }
  Message message;
  next(message);
  frame = {.kind = Frame::Kind::message, .text = message.payload};
  return true;
}

Task<bool> Connection::wait(std::stop_token stop) {
  assert(!is_waiting_);
  if (find_message() || endpoint_.has_oversize()) co_return true;
  flush();
  if (has_input_ended()) co_return false;
  if (std::exchange(has_heard_message_, false)) silent_since_ = std::chrono::steady_clock::now();
  is_waiting_ = true;
  watch_reading(true);
  arrived_.reset();
  Result<Unit> done = co_await arrived_.wait(stop);
  is_waiting_ = false;
  static_cast<void>(done);  // After a stop, a message that has arrived is still returned.
  co_return find_message() || endpoint_.has_oversize();
}

void Connection::watch_reading(bool on) {
  if (std::exchange(watches_input_, on) != on) stream_.watch_readable(on);
}

void Connection::on_readable() {
  const bool discarding = phase_ == Phase::lingering || endpoint_.has_ended();
  if (phase_ == Phase::open && (!is_waiting_ || has_message_ || is_backlogged() || discarding)) {
    // No caller takes messages. The bytes remain in the kernel, which blocks the peer.
    return watch_reading(false);
  }
  if (!read_buffer_) read_buffer_ = read_buffers_.borrow();
  const Stream::Transferred read = stream_.read(read_buffer_.space());
  heard_since_tick_ = heard_since_tick_ || read.bytes > 0;
  if (read.closed) {
    input_ended_ = true;
    watch_reading(false);
  }
  if (read.bytes > 0 && !discarding) feed(read_buffer_.space().first(read.bytes));
  if (phase_ != Phase::open) has_message_ = false;  // Ignore messages after our Close.
  if (!has_message_) release_message();
  if (has_message_ || has_input_ended()) arrived_.set();
}

void Connection::flush() {
  // While the stream is full, on_writable() continues.
  if (!watches_output_ && unsent_bytes() > 0) write();
}

void Connection::write() {
  ByteQueue& out = endpoint_.out();
  const Stream::Transferred written = stream_.write(out.view());
  out.remove_front(written.bytes);
  sent_since_tick_ += written.bytes;
  if (written.closed) {
    output_broken_ = true;
    input_ended_ = true;
    arrived_.set();
  }
  if (output_broken_) out.clear();
  if (watches_output_ == out.empty()) {
    watches_output_ = !out.empty();
    stream_.watch_writable(watches_output_);
  }
  if (is_waiting_ && !is_backlogged() && !has_input_ended()) watch_reading(true);
  if (written.bytes > 0 || output_broken_) output_progress_.set();
}

void Connection::on_writable() { write(); }

Task<bool> Connection::wait_drained(std::size_t bytes, std::stop_token stop) {
  flush();
  while (unsent_bytes() > bytes && !output_broken_ && !(has_given_up_ && phase_ == Phase::open)) {
    output_progress_.reset();
    Result<Unit> done = co_await output_progress_.wait(stop);
    if (!done) co_return false;
  }
  co_return !output_broken_ && unsent_bytes() <= bytes;
}

void Connection::tick() {
  if (phase_ != Phase::open) return abort_connection();
  port_.start(heartbeat_alarm_, options_.ping_interval);
  const bool idle = !heard_since_tick_ && sent_since_tick_ == 0;
  missed_pings_ = ping_open_ && !is_alive() ? missed_pings_ + 1 : 0;
  heard_since_tick_ = false;
  sent_since_tick_ = 0;
  if (missed_pings_ >= options_.missed_pings_max)
    return give_up(CloseCode::policy_violation, "The client did not answer pings.");
  if (idle) endpoint_.out().release_memory();
  if (ping_open_) return;
  ping_open_ = true;
  endpoint_.ping(++last_ping_);
  flush();
}

bool Connection::is_alive() const {
  if (unsent_bytes() > 0) {
    const auto seconds = static_cast<std::size_t>(options_.ping_interval.count()) / 1000;
    const bool takes = sent_since_tick_ > 0 && sent_since_tick_ >= options_.bytes_per_second_min * seconds;
    return takes || (heard_since_tick_ && !is_backlogged());
  }
  // While no caller reads, pongs are not seen, so the peer counts as alive.
  return heard_since_tick_ || !watches_input_;
}

void Connection::evict() { give_up(CloseCode::try_again_later, "Other connections are waiting."); }

void Connection::give_up(CloseCode code, std::string_view reason) {
  endpoint_.close(code, reason);
  flush();
  has_given_up_ = true;
  input_ended_ = true;
  arrived_.set();
  output_progress_.set();
}

void Connection::abort_connection() {
  input_ended_ = true;
  output_broken_ = true;
  endpoint_.out().clear();
  arrived_.set();
  output_progress_.set();
}

Task<Unit> Connection::close(CloseCode code, std::string_view reason) {
  assert(!is_waiting_);
  port_.cancel(heartbeat_alarm_);
  port_.start(heartbeat_alarm_, options_.close_timeout);
  phase_ = Phase::closing;
  has_message_ = false;
  endpoint_.close(code, reason);
  find_message();  // Processes the rest of the last read; messages in it are ignored.
  const std::stop_token never;
  Task<bool> draining = wait_drained(0, never);
  Result<bool> drained_all = co_await std::move(draining);
  static_cast<void>(drained_all);
  // Wait for the peer's answer to our Close, unless ours was the answer.
  while (!has_input_ended()) {
    watch_reading(true);
    arrived_.reset();
    Result<Unit> done = co_await arrived_.wait(never);
    static_cast<void>(done);
  }
  phase_ = Phase::lingering;
  if (!output_broken_) stream_.end();
  while (!input_ended_) {
    watch_reading(true);
    arrived_.reset();
    Result<Unit> done = co_await arrived_.wait(never);
    static_cast<void>(done);
  }
  port_.cancel(heartbeat_alarm_);
  co_return Unit{};
}

}  // namespace snapgen::websocket
