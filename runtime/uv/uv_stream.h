#pragma once
// UvStream: a Stream over file descriptors. What the kernel can poll (pipes, sockets, terminals) is read and
// written directly when it is ready. What it cannot (regular files, /dev/null) is read ahead by the pool, one
// chunk at a time, and written in place.
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include <uv.h>

#include "runtime/async/port.h"
#include "runtime/async/stream.h"
#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "runtime/uv/uv_port.h"

namespace snapgen {

class UvStream final : public Stream {
 public:
  static Result<std::unique_ptr<Stream>> create(UvPort& port, UvPort::State& state, int in, int out);
  // Over a socket, which is closed with the stream.
  static Result<std::unique_ptr<Stream>> create(UvPort& port, UvPort::State& state, Fd socket);
  UvStream(UvStream&&) = delete;
  // Waits for a read that the pool has begun. Not from a callback.
  ~UvStream() override;

  void listen(Listener* listener) override { listener_ = listener; }
  void watch_readable(bool on) override;
  void watch_writable(bool on) override;
  Moved read(std::span<char> into) override;
  Moved write(std::string_view bytes) override;
  void end() override;

 private:
  // libuv's handle on one descriptor. It lives until libuv has closed it, which may be after the stream.
  struct Poll {
    uv_poll_t handle;
    UvStream* stream;
    int watched = 0;  // UV_READABLE, UV_WRITABLE
    void watch(int events, bool on);
  };
  struct ClosePoll {
    void operator()(Poll* poll) const;
  };
  using PollPointer = std::unique_ptr<Poll, ClosePoll>;

  // The next chunk of a file that cannot be polled.
  struct ReadAhead final : Job {
    explicit ReadAhead(UvStream& stream) : stream(stream) {}
    UvStream& stream;
    bool running = false;
    bool full = false;  // `chunk` holds what was read, from `taken` on, or the end.
    bool offer_again = false;
    Moved moved;
    std::size_t taken = 0;
    std::array<char, 64 * 1024> chunk;
    void begin();
    Moved take(std::span<char> into);
    void work() override;
    void done(bool cancelled) override;
  };

  UvStream(UvPort& port, int in, int out) : port_(port), in_(in), out_(out) {}
  Result<Unit> open(UvPort::State& state);
  static Result<PollPointer> poll(UvPort::State& state, UvStream& stream, int fd);
  static void came(uv_poll_t* handle, int status, int events);

  UvPort& port_;
  Fd socket_;  // Closed when libuv has let go of it, below.
  int in_;
  int out_;
  Listener* listener_ = nullptr;
  PollPointer readable_;  // Null: `in_` cannot be polled.
  PollPointer writable_;  // Null: `out_` cannot be polled, and is written in place.
  std::unique_ptr<ReadAhead> ahead_;
  bool reading_ = false;  // watch_readable() is on.
};

}  // namespace snapgen
