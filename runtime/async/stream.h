#pragma once
// Stream: a byte stream to and from one peer, provided by a port. Reads and writes never block; the stream
// notifies its listener when to try again. Transports convert the bytes to messages.
#include <cstddef>
#include <span>
#include <string_view>

namespace snapgen {

class Stream {
 public:
  // Called on the loop, between coroutines: may read, write and post; must not destroy the stream.
  class Listener {
   public:
    virtual void readable() = 0;
    virtual void writable() = 0;

   protected:
    ~Listener() = default;
  };

  // The result of a read or write. Neither bytes nor closed: it would block.
  struct Transferred {
    std::size_t bytes = 0;
    bool closed = false;  // Reading: the end, or an error. Writing: the peer no longer reads.
  };

  virtual ~Stream() = default;

  // Sets the only listener; null removes it.
  virtual void listen(Listener* listener) = 0;
  // Calls readable() whenever read() may return data or the end, until switched off.
  virtual void watch_readable(bool on) = 0;
  // Calls writable() whenever write() may accept data, until switched off.
  virtual void watch_writable(bool on) = 0;

  // Reads the available bytes, at most into.size().
  virtual Transferred read(std::span<char> into) = 0;
  // Writes as much of `bytes` as fits now.
  virtual Transferred write(std::string_view bytes) = 0;
  // Ends the writing side: a peer at a socket sees the end, and may still send.
  virtual void end() {}
};

}  // namespace snapgen
