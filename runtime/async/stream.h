#pragma once
// Stream: bytes from and to one peer, as a port provides them. Neither reading nor writing waits; a stream
// tells its listener when it is worth trying (again). Transports turn it into messages.
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

  // What one read or write did. No bytes and not closed: nothing goes now.
  struct Moved {
    std::size_t bytes = 0;
    bool closed = false;  // Reading: the end, or an error. Writing: nobody will read this any more.
  };

  virtual ~Stream() = default;

  // One listener; null: nobody listens any more.
  virtual void listen(Listener* listener) = 0;
  // Calls readable() whenever read() may bring something (the end is something), until switched off.
  virtual void watch_readable(bool on) = 0;
  // Calls writable() whenever write() may take something, until switched off.
  virtual void watch_writable(bool on) = 0;

  // What is here now, at most into.size() bytes.
  virtual Moved read(std::span<char> into) = 0;
  // As much of `bytes` as is taken now.
  virtual Moved write(std::string_view bytes) = 0;
  // Nothing more will be written: a peer at a socket sees the end, and may still send.
  virtual void end() {}
};

}  // namespace snapgen
