#include "runtime/uv/uv_stream.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

#include "runtime/uv/state.h"

namespace snapgen {
namespace {

Stream::Transferred read_fd(int fd, std::span<char> into) {
  for (;;) {
    ssize_t bytes = ::read(fd, into.data(), into.size());
    if (bytes > 0) return {.bytes = static_cast<std::size_t>(bytes)};
    if (bytes == 0) return {.closed = true};
    if (errno == EAGAIN || errno == EWOULDBLOCK) return {};
    // Other errors mean that no more data will arrive: EIO after a terminal hangup, ECONNRESET, EBADF,
    // EISDIR.
    if (errno != EINTR) return {.closed = true};
  }
}

}  // namespace

Result<std::unique_ptr<Stream>> UvPort::open(int in, int out) {
  return UvStream::create(*this, *state_, in, out);
}

Result<std::unique_ptr<Stream>> UvStream::create(UvPort& port, UvPort::State& state, int in, int out) {
  std::unique_ptr<UvStream> stream(new UvStream(port, in, out));
  Result<Unit> opened = stream->open(state);
  if (!opened) return std::move(opened.error());
  return std::unique_ptr<Stream>(std::move(stream));
}

Result<std::unique_ptr<Stream>> UvStream::create(UvPort& port, UvPort::State& state, Fd socket) {
  std::unique_ptr<UvStream> stream(new UvStream(port, socket.get(), socket.get()));
  stream->socket_ = std::move(socket);
  Result<Unit> opened = stream->open(state);
  if (!opened) return std::move(opened.error());
  return std::unique_ptr<Stream>(std::move(stream));
}

Result<Unit> UvStream::open(UvPort::State& state) {
  Result<PollPointer> readable = poll(state, *this, in_);
  if (!readable) return std::move(readable.error());
  read_poll_ = std::move(*readable);
  if (!read_poll_) read_ahead_ = std::make_unique<ReadAhead>(*this);
  if (in_ == out_) return Unit{};  // libuv allows one handle per descriptor.
  Result<PollPointer> writable = poll(state, *this, out_);
  if (!writable) return std::move(writable.error());
  write_poll_ = std::move(*writable);
  return Unit{};
}

// Creates the handle for `fd`. Returns null if the kernel cannot poll `fd`.
Result<UvStream::PollPointer> UvStream::poll(UvPort::State& state, UvStream& stream, int fd) {
  auto made = std::make_unique<Poll>();
  int code = uv_poll_init(&state.loop, &made->handle, fd);
  if (code == UV_EPERM || code == UV_EBADF) return PollPointer();
  if (code) return uv_error("uv_poll_init", code);
  made->handle.data = made.get();
  made->stream = &stream;
  return PollPointer(made.release());
}

void UvStream::ClosePoll::operator()(Poll* poll) const {
  auto closed = [](uv_handle_t* handle) { delete static_cast<Poll*>(handle->data); };
  uv_close(reinterpret_cast<uv_handle_t*>(&poll->handle), closed);
}

void UvStream::Poll::watch(int events, bool on) {
  int wanted = on ? watched_events | events : watched_events & ~events;
  if (wanted == watched_events) return;
  watched_events = wanted;
  int code = wanted ? uv_poll_start(&handle, wanted, on_poll_event) : uv_poll_stop(&handle);
  assert(code == 0);
  static_cast<void>(code);
}

UvStream::~UvStream() {
  listener_ = nullptr;
  reading_ = false;
  while (read_ahead_ && read_ahead_->is_running) port_.wait();
}

void UvStream::on_poll_event(uv_poll_t* handle, int status, int events) {
  Poll& poll = *static_cast<Poll*>(handle->data);
  UvStream& stream = *poll.stream;
  if (status < 0) {
    // After an error, libuv has stopped the handle. The next read or write returns the error.
    events = std::exchange(poll.watched_events, 0);
    poll.watch(events, true);
  }
  if ((events & UV_READABLE) && stream.listener_) stream.listener_->on_readable();
  if ((events & UV_WRITABLE) && stream.listener_) stream.listener_->on_writable();
}

void UvStream::watch_readable(bool on) {
  reading_ = on;
  if (read_poll_) {
    read_poll_->watch(UV_READABLE, on);
  } else if (on) {
    read_ahead_->begin();
  }
}

void UvStream::watch_writable(bool on) {
  Poll* poll = in_ == out_ ? read_poll_.get() : write_poll_.get();
  if (poll) poll->watch(UV_WRITABLE, on);
}

Stream::Transferred UvStream::read(std::span<char> into) {
  return read_ahead_ ? read_ahead_->take(into) : read_fd(in_, into);
}

Stream::Transferred UvStream::write(std::string_view bytes) {
  Transferred all;
  while (all.bytes < bytes.size()) {
    ssize_t count = ::write(out_, bytes.data() + all.bytes, bytes.size() - all.bytes);
    if (count >= 0) {
      all.bytes += static_cast<std::size_t>(count);
      if (write_poll_ || in_ == out_) break;  // Writing more now would fail, because the peer has not read.
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR) {
      all.closed = true;  // EPIPE, ECONNRESET, EIO, ENOSPC, EBADF: the peer no longer reads.
      break;
    }
  }
  return all;
}

void UvStream::end() {
  if (socket_.get() >= 0) ::shutdown(socket_.get(), SHUT_WR);
}

// Reads the next chunk in the pool. If the last one has not been read completely, it only reports it again.
void UvStream::ReadAhead::begin() {
  if (is_running) return;
  is_running = true;
  is_notification_due = has_data;
  stream.port_.submit(*this);
}

void UvStream::ReadAhead::work() {
  if (is_notification_due) return;
  read_result = read_fd(stream.in_, chunk);
  taken_bytes = 0;
}

void UvStream::ReadAhead::on_done(bool) {
  is_running = false;
  has_data = true;
  if (stream.reading_ && stream.listener_) stream.listener_->on_readable();
  if (stream.reading_) begin();
}

Stream::Transferred UvStream::ReadAhead::take(std::span<char> into) {
  if (!has_data) return {};
  if (read_result.closed) return {.closed = true};
  std::size_t bytes = std::min(into.size(), read_result.bytes - taken_bytes);
  std::memcpy(into.data(), chunk.data() + taken_bytes, bytes);
  taken_bytes += bytes;
  has_data = taken_bytes < read_result.bytes;
  return {.bytes = bytes};
}

}  // namespace snapgen
