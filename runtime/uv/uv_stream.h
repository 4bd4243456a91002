#pragma once
// UvStream: a Stream over file descriptors. Pollable ones (pipes, sockets, terminals) are read and written
// directly when they are ready. For others (regular files, /dev/null) the thread pool reads one chunk ahead,
// and writes block.
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
  // Creates a stream over a socket, which the stream owns and closes.
  static Result<std::unique_ptr<Stream>> create(UvPort& port, UvPort::State& state, Fd socket);
  UvStream(UvStream&&) = delete;
  // The destructor waits for a read in the pool that has begun. It must not be called from a callback.
  ~UvStream() override;

  void set_listener(Listener* listener) override { listener_ = listener; }
  void watch_readable(bool on) override;
  void watch_writable(bool on) override;
  Transferred read(std::span<char> into) override;
  Transferred write(std::string_view bytes) override;
  void end() override;

 private:
  // libuv's handle for one descriptor. libuv may close it after the stream is destroyed, so it is separate.
  struct Poll {
    uv_poll_t handle;
    UvStream* stream;
    int watched_events = 0;  // UV_READABLE and UV_WRITABLE, combined
    void watch(int events, bool on);
  };
  struct ClosePoll {
    void operator()(Poll* poll) const;
  };
  using PollPointer = std::unique_ptr<Poll, ClosePoll>;

  // Reads the next chunk of a file that cannot be polled.
  struct ReadAhead final : Job {
    explicit ReadAhead(UvStream& stream) : stream(stream) {}
    UvStream& stream;
    bool is_running = false;
    bool has_data = false;  // `chunk` has unread data from `taken_bytes` on, or the end was reached.
    bool is_notification_due = false;
    Transferred read_result;
    std::size_t taken_bytes = 0;
    std::array<char, 64 * 1024> chunk;
    void begin();
    Transferred take(std::span<char> into);
    void work() override;
    void on_done(bool cancelled) override;
  };

  UvStream(UvPort& port, int in, int out) : port_(port), in_(in), out_(out) {}
  Result<Unit> open(UvPort::State& state);
  static Result<PollPointer> poll(UvPort::State& state, UvStream& stream, int fd);
  static void on_poll_event(uv_poll_t* handle, int status, int events);

  UvPort& port_;
  Fd socket_;  // Declared first, so it is closed after libuv's handles.
  int in_;
  int out_;
  Listener* listener_ = nullptr;
  PollPointer read_poll_;   // Null if `in_` cannot be polled.
  PollPointer write_poll_;  // Null if `out_` cannot be polled; then writes block.
  std::unique_ptr<ReadAhead> read_ahead_;
  bool reading_ = false;  // Whether watch_readable() is on.
};

}  // namespace snapgen
