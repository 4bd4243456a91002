#pragma once
// Acceptor: a socket that peers connect to, as a port provides it. Whoever serves them accepts while it has
// room; peers beyond that wait in the kernel.
#include <cstdint>
#include <memory>
#include <string>

#include "runtime/async/stream.h"
#include "runtime/base/result.h"

namespace snapgen {

// Where a server listens. Names are not looked up.
struct Address {
  std::string host = "127.0.0.1";  // An IPv4 or IPv6 address, without brackets.
  std::uint16_t port = 0;          // 0: one that is free.
};

// An address that no other machine can reach: 127.0.0.0/8 or ::1.
inline bool is_loopback(const Address& address) {
  return address.host == "::1" || address.host.starts_with("127.");
}

class Acceptor {
 public:
  // Called on the loop, between coroutines: may accept and post; must not destroy the acceptor.
  class Listener {
   public:
    virtual void peer_waits() = 0;

   protected:
    ~Listener() = default;
  };

  // Nobody can connect any more. Streams that were accepted live on.
  virtual ~Acceptor() = default;

  // One listener; null: nobody listens any more.
  virtual void listen(Listener* listener) = 0;
  // Calls peer_waits() whenever accept() may bring a stream, until switched off.
  virtual void watch(bool on) = 0;

  // The next peer; null if none waits. The stream is closed with its last owner. Errors: unavailable (the
  // system has no descriptors left; the peer goes on waiting, so try again later).
  virtual Result<std::unique_ptr<Stream>> accept() = 0;

  // With the port that was chosen.
  virtual const Address& address() const = 0;
};

}  // namespace snapgen
