#include "runtime/websocket/connection.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace snapgen::websocket {

Connection::Connection(ReadyQueue& loop, Stream& stream, ReadBufferPool& read_buffers,
                       const ConnectionOptions& options, OpenedConnection opening)
    : stream_(stream),
      port_(loop.port()),
      read_buffers_(read_buffers),
      options_(options),
      endpoint_(options.endpoint, std::move(opening.terms)),
      early_(std::move(opening.already_read)),
      arrived_(loop),
      moved_(loop),
      bell_(*this) {
  stream_.set_listener(this);
  if (!opening.answer.empty()) {
    endpoint_.out().append_buffer() = std::move(opening.answer);
    write();
    // An idle connection has no buffer, to save memory.
    endpoint_.out().release_memory();
  }
  if (options_.heartbeat.count() > 0) port_.start(bell_, options_.heartbeat);
  if (early_.empty()) return;
  early_.reserve(early_.size() + MessageBuffer::padding);
  feed(early_);
}

Connection::~Connection() {
  port_.cancel(bell_);
  stream_.watch_readable(false);
  stream_.watch_writable(false);
  stream_.set_listener(nullptr);
}

bool Connection::find_message() {
  if (!ready_) {
    ready_ = endpoint_.next(message_);
    take_pong();
    if (!ready_) release_message();
  }
  return ready_;
}

void Connection::release_message() {
  read_buffer_ = ReadBufferPool::ReadBuffer();
  if (!early_.empty()) std::string().swap(early_);
}

void Connection::take_pong() {
  const std::optional<std::uint64_t> number = endpoint_.take_pong();
  if (!number || !ping_open_ || *number != ping_) return;
  ping_open_ = false;
  missed_ = 0;
  const auto passed = std::chrono::steady_clock::now() - ping_sent_;
  latency_ = std::chrono::duration_cast<std::chrono::microseconds>(passed);
}

void Connection::feed(std::span<char> bytes) {
  endpoint_.feed(bytes);
  find_message();
  if (!ready_) flush();  // Sends pongs, or the Close after a failure.
}

bool Connection::next(Message& message) {
  if (!find_message()) return false;
  message = message_;
  ready_ = false;
  has_received_message_ = heard_message_ = true;
  return true;
}

bool Connection::next(Frame& frame) {
  Message message;
  if (!next(message)) return false;
  frame = {.kind = Frame::Kind::message, .text = message.payload};
  return true;
}

Task<bool> Connection::wait(std::stop_token stop) {
  assert(!waiting_);
  if (find_message()) co_return true;
  flush();
  if (has_input_ended()) co_return false;
  if (std::exchange(heard_message_, false)) silent_since_ = std::chrono::steady_clock::now();
  waiting_ = true;
  watch_reading(true);
  arrived_.reset();
  Result<Unit> came = co_await arrived_.wait(stop);
  waiting_ = false;
  static_cast<void>(came);  // After a stop, a message that has arrived is still returned.
  co_return find_message();
}

void Connection::watch_reading(bool on) {
  if (std::exchange(reading_, on) != on) stream_.watch_readable(on);
}

void Connection::on_readable() {
  const bool discarding = phase_ == Phase::lingering || endpoint_.has_ended();
  if (phase_ == Phase::open && (!waiting_ || ready_ || is_backlogged() || discarding)) {
    // No caller takes messages. The bytes remain in the kernel, which blocks the peer.
    return watch_reading(false);
  }
  if (!read_buffer_) read_buffer_ = read_buffers_.borrow();
  const Stream::Transferred read = stream_.read(read_buffer_.space());
  heard_ = heard_ || read.bytes > 0;
  if (read.closed) {
    ended_ = true;
    watch_reading(false);
  }
  if (read.bytes > 0 && !discarding) feed(read_buffer_.space().first(read.bytes));
  if (phase_ != Phase::open) ready_ = false;  // Ignore messages after our Close.
  if (!ready_) release_message();
  if (ready_ || has_input_ended()) arrived_.set();
}

void Connection::flush() {
  // While the stream is full, on_writable() continues.
  if (!writing_ && unsent_bytes() > 0) write();
}

void Connection::write() {
  ByteQueue& out = endpoint_.out();
  const Stream::Transferred written = stream_.write(out.view());
  out.remove_front(written.bytes);
  taken_ += written.bytes;
  if (written.closed) {
    broken_ = true;
    ended_ = true;
    arrived_.set();
  }
  if (broken_) out.clear();
  if (writing_ == out.empty()) {
    writing_ = !out.empty();
    stream_.watch_writable(writing_);
  }
  if (waiting_ && !is_backlogged() && !has_input_ended()) watch_reading(true);
  if (written.bytes > 0 || broken_) moved_.set();
}

void Connection::on_writable() { write(); }

Task<bool> Connection::wait_drained(std::size_t bytes, std::stop_token stop) {
  flush();
  while (unsent_bytes() > bytes && !broken_ && !(given_up_ && phase_ == Phase::open)) {
    moved_.reset();
    Result<Unit> came = co_await moved_.wait(stop);
    if (!came) co_return false;
  }
  co_return !broken_ && unsent_bytes() <= bytes;
}

void Connection::tick() {
  if (phase_ != Phase::open) return abort_connection();
  port_.start(bell_, options_.heartbeat);
  const bool idle = !heard_ && taken_ == 0;
  missed_ = ping_open_ && !is_alive() ? missed_ + 1 : 0;
  heard_ = false;
  taken_ = 0;
  if (missed_ >= options_.missed_max)
    return give_up(CloseCode::policy_violation, "The client did not answer pings.");
  if (idle) endpoint_.out().release_memory();
  if (ping_open_) return;
  ping_open_ = true;
  ping_sent_ = std::chrono::steady_clock::now();
  endpoint_.ping(++ping_);
  flush();
}

bool Connection::is_alive() const {
  if (unsent_bytes() > 0) {
    const auto seconds = static_cast<std::size_t>(options_.heartbeat.count()) / 1000;
    const bool takes = taken_ > 0 && taken_ >= options_.bytes_per_second_min * seconds;
    return takes || (heard_ && !is_backlogged());
  }
  // While no caller reads, pongs are not seen, so the peer counts as alive.
  return heard_ || !reading_;
}

void Connection::evict() { give_up(CloseCode::try_again_later, "Other connections are waiting."); }

void Connection::give_up(CloseCode code, std::string_view reason) {
  endpoint_.close(code, reason);
  flush();
  given_up_ = true;
  ended_ = true;
  arrived_.set();
  moved_.set();
}

void Connection::abort_connection() {
  ended_ = true;
  broken_ = true;
  endpoint_.out().clear();
  arrived_.set();
  moved_.set();
}

Task<Unit> Connection::close(CloseCode code, std::string_view reason) {
  assert(!waiting_);
  port_.cancel(bell_);
  port_.start(bell_, options_.closing);
  phase_ = Phase::closing;
  ready_ = false;
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
    Result<Unit> came = co_await arrived_.wait(never);
    static_cast<void>(came);
  }
  phase_ = Phase::lingering;
  if (!broken_) stream_.end();
  while (!ended_) {
    watch_reading(true);
    arrived_.reset();
    Result<Unit> came = co_await arrived_.wait(never);
    static_cast<void>(came);
  }
  port_.cancel(bell_);
  co_return Unit{};
}

}  // namespace snapgen::websocket
