#include "runtime/uv/uv_stream.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "runtime/async/stream.h"
#include "runtime/base/result.h"
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
  readable_ = std::move(*readable);
  if (!readable_) ahead_ = std::make_unique<ReadAhead>(*this);
  if (in_ == out_) return Unit{};  // libuv allows one handle per descriptor.
  Result<PollPointer> writable = poll(state, *this, out_);
  if (!writable) return std::move(writable.error());
  writable_ = std::move(*writable);
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
  int wanted = on ? watched | events : watched & ~events;
  if (wanted == watched) return;
  watched = wanted;
  int code = wanted ? uv_poll_start(&handle, wanted, came) : uv_poll_stop(&handle);
  assert(code == 0);
  static_cast<void>(code);
}

UvStream::~UvStream() {
  listener_ = nullptr;
  reading_ = false;
  while (ahead_ && ahead_->running) port_.wait();
}

void UvStream::came(uv_poll_t* handle, int status, int events) {
  Poll& poll = *static_cast<Poll*>(handle->data);
  UvStream& stream = *poll.stream;
  if (status < 0) {
    // After an error, libuv has stopped the handle. The next read or write returns the error.
    events = std::exchange(poll.watched, 0);
    poll.watch(events, true);
  }
  if ((events & UV_READABLE) && stream.listener_) stream.listener_->on_readable();
  if ((events & UV_WRITABLE) && stream.listener_) stream.listener_->on_writable();
}

void UvStream::watch_readable(bool on) {
  reading_ = on;
  if (readable_) {
    readable_->watch(UV_READABLE, on);
  } else if (on) {
    ahead_->begin();
  }
}

void UvStream::watch_writable(bool on) {
  Poll* poll = in_ == out_ ? readable_.get() : writable_.get();
  if (poll) poll->watch(UV_WRITABLE, on);
}

Stream::Transferred UvStream::read(std::span<char> into) {
  return ahead_ ? ahead_->take(into) : read_fd(in_, into);
}

Stream::Transferred UvStream::write(std::string_view bytes) {
  Transferred all;
  while (all.bytes < bytes.size()) {
    ssize_t count = ::write(out_, bytes.data() + all.bytes, bytes.size() - all.bytes);
    if (count >= 0) {
      all.bytes += static_cast<std::size_t>(count);
      if (writable_ || in_ == out_) break;  // Writing more now would fail, because the peer has not read.
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
  if (running) return;
  running = true;
  offer_again = full;
  stream.port_.submit(*this);
}

void UvStream::ReadAhead::work() {
  if (offer_again) return;
  moved = read_fd(stream.in_, chunk);
  taken = 0;
}

void UvStream::ReadAhead::on_done(bool) {
  running = false;
  full = true;
  if (stream.reading_ && stream.listener_) stream.listener_->on_readable();
  if (stream.reading_) begin();
}

Stream::Transferred UvStream::ReadAhead::take(std::span<char> into) {
  if (!full) return {};
  if (moved.closed) return {.closed = true};
  std::size_t bytes = std::min(into.size(), moved.bytes - taken);
  std::memcpy(into.data(), chunk.data() + taken, bytes);
  taken += bytes;
  full = taken < moved.bytes;
  return {.bytes = bytes};
}

}  // namespace snapgen
