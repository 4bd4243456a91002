#pragma once
// The server's side of HTTP: accepts connections, as many as it may have, and shows each request to a
// Handler.
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
  // Beyond it one gives way: who never asked for anything, else who is idle, else an event stream on which
  // nothing is under way, else who has stopped in the middle of a request; of these who has been so for
  // longest. While all others are busy, new peers wait.
  std::size_t connections = 4096;
  // Of bodies that are still coming, beyond what each may have anyway; more is refused.
  std::size_t bodies_bytes = 256 << 20;
};

// What a request is refused with before its body is read.
struct Denial {
  int status = 403;
  std::string fields;  // Lines, each with its CR LF.
  std::string body;
};

class Handler {
 public:
  // Lines that every answer to such a request has, each with its CR LF.
  virtual std::string fields_of_all(const Head&) { return {}; }
  // Sees the head alone. Nothing: the body is read, and handle() is called.
  virtual std::optional<Denial> deny(const Head& head) = 0;
  // Answers the request, or takes the connection over.
  virtual Task<Unit> handle(Connection& connection, std::stop_token stop) = 0;

 protected:
  ~Handler() = default;
};

// Until a stop: then nobody is accepted any more, idle connections are closed, and those with a request in
// progress when it is answered and the peer has taken the answer, or does not in time.
Task<Unit> serve(Loop& loop, Acceptor& acceptor, Handler& handler, const ServerLimits& limits,
                 std::stop_token stop);

}  // namespace snapgen::http
