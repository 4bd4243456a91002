#pragma once
// The HTTP server: accepts connections up to a limit, and passes each request to a Handler.
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>

#include "runtime/async/acceptor.h"
#include "runtime/async/loop.h"
#include "runtime/http/connection.h"

namespace snapgen::http {

struct ServerLimits {
  ConnectionLimits connection;
  // The limit of open connections. When it is reached, connections are closed in this order: those whose peer
  // never sent a request, idle ones, event streams without pending work, and those whose request stopped
  // arriving. Within a group, the longest inactive is closed first. If all are busy, new peers wait.
  std::size_t connections_max = 4096;
  // The memory for all bodies that are still arriving, not counting ConnectionLimits::uncounted_body_bytes of
  // each. A request that would exceed it is rejected.
  std::size_t body_memory_bytes_max = 256 << 20;
};

// The response to a request that is rejected before its body is read.
struct Denial {
  int status = 403;
  std::string fields;  // Header lines, each with its CR LF.
  std::string body;
};

class Handler {
 public:
  // Returns the fields that every response to this request has, each with its CR LF.
  virtual std::string response_fields(const RequestHead&) { return {}; }
  // Returns the response if the request is rejected because of its head. If it returns nullopt, the body is
  // read and handle() is called.
  virtual std::optional<Denial> deny(const RequestHead& head) = 0;
  // Answers the request, or takes over the connection.
  virtual Task<Unit> handle(Connection& connection, std::stop_token stop) = 0;

 protected:
  ~Handler() = default;
};

// Serves until a stop is requested. Then it accepts no more connections and closes idle ones. It closes the
// others when the peer has read the response to its request, or after ConnectionLimits::shutdown.
Task<Unit> serve(Loop& loop, Acceptor& acceptor, Handler& handler, const ServerLimits& limits,
                 std::stop_token stop);

}  // namespace snapgen::http
