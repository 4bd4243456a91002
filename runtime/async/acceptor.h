#pragma once
// Acceptor: a listening socket, provided by a port. The server accepts peers while it has capacity; further
// peers wait in the kernel's backlog.
#include <cstdint>
#include <memory>
#include <string>

#include "runtime/async/stream.h"
#include "runtime/base/result.h"

namespace snapgen {

// The address a server listens on. Host names are not resolved.
struct Address {
  std::string host = "127.0.0.1";  // An IPv4 or IPv6 address, without brackets.
  std::uint16_t port = 0;          // A 0 lets the kernel choose a free port.
};

// Whether other machines cannot reach the address: 127.0.0.0/8 or ::1.
inline bool is_loopback(const Address& address) {
  return address.host == "::1" || address.host.starts_with("127.");
}

class Acceptor {
 public:
  // The port calls a listener on the loop, between coroutines. The listener may accept peers and post
  // coroutines, but must not destroy the acceptor.
  class Listener {
   public:
    virtual void on_waiting_peer() = 0;

   protected:
    ~Listener() = default;
  };

  // The destructor stops listening. Accepted streams remain open.
  virtual ~Acceptor() = default;

  // Sets the acceptor's only listener; null removes it.
  virtual void set_listener(Listener* listener) = 0;
  // Calls on_waiting_peer() whenever accept() may return a stream, until switched off.
  virtual void watch_for_peers(bool on) = 0;

  // Returns the next peer, or null if none waits. Destroying the stream closes it. Errors: unavailable (no
  // descriptors left; the peer keeps waiting, so try again later).
  virtual Result<std::unique_ptr<Stream>> accept() = 0;

  // Returns the address that the acceptor listens on, with the port that the kernel chose if it was 0.
  virtual const Address& address() const = 0;
};

}  // namespace snapgen
