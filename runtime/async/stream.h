#pragma once
// Stream: a byte stream to and from one peer, provided by a port. Reads and writes never block; the stream
// notifies its listener when to try again. Transports convert the bytes to messages.
#include <cstddef>
#include <span>
#include <string_view>

namespace snapgen {

class Stream {
 public:
  // The port calls a listener on the loop, between coroutines. The listener may read, write and post
  // coroutines, but must not destroy the stream.
  class Listener {
   public:
    virtual void on_readable() = 0;
    virtual void on_writable() = 0;

   protected:
    ~Listener() = default;
  };

  // The result of a read or write. With neither bytes nor closed, the operation would block.
  struct Transferred {
    std::size_t bytes = 0;
    bool closed = false;  // After a read: the end, or an error. After a write: the peer no longer reads.
  };

  virtual ~Stream() = default;

  // Sets the stream's only listener; null removes it.
  virtual void set_listener(Listener* listener) = 0;
  // Calls on_readable() whenever read() may return data or the end, until switched off.
  virtual void watch_readable(bool on) = 0;
  // Calls on_writable() whenever write() may accept data, until switched off.
  virtual void watch_writable(bool on) = 0;

  // Reads the available bytes, at most into.size().
  virtual Transferred read(std::span<char> into) = 0;
  // Writes as much of `bytes` as fits without blocking.
  virtual Transferred write(std::string_view bytes) = 0;
  // Ends the writing side: the peer of a socket reads the end of the stream, and may still send.
  virtual void end() {}
};

}  // namespace snapgen
