#pragma once
// The server's side of WebSocket: takes over what http::serve() accepted and a client asks to upgrade, and
// lets the service of the chosen subprotocol serve it.
//
//   websocket::Server sockets(loop, options, {{.protocol = "mcp", .serve = ...}}, stop);
//   Task<Unit> serving = websocket::serve(loop, *acceptor, sockets, limits, stop);
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/async/loop.h"
#include "runtime/http/server.h"
#include "runtime/websocket/chunks.h"
#include "runtime/websocket/connection.h"
#include "runtime/websocket/handshake.h"

namespace snapgen::websocket {

struct Service {
  std::string protocol;  // Empty: for clients that name none, when no service has a name.
  // Serves one connection to its end, or until a stop. The close, and why, are the server's business.
  std::function<Task<Unit>(Connection&, std::stop_token)> serve;
};

struct ServerOptions {
  HandshakeRules rules;  // `protocols` are those of the services.
  ConnectionOptions connection;
  std::size_t connections = 10'000;  // More of them are refused with 503.
};

class Server final : public http::Handler {
 public:
  Server(Loop& loop, ServerOptions options, std::vector<Service> services, std::stop_token stop);
  Server(Server&&) = delete;

  std::optional<http::Denial> deny(const http::Head& head) override;
  Task<Unit> handle(http::Connection& connection, std::stop_token stop) override;

  std::size_t connections() const { return sockets_.size(); }
  // Waits until every connection has ended. After a stop that takes no longer than their closing.
  Task<Unit> join();

 private:
  Task<Unit> serve(std::unique_ptr<Stream> stream, Opening opening, const Service& service);

  Loop& loop_;
  ServerOptions options_;
  std::vector<Service> services_;
  Chunks chunks_;
  Scope sockets_;
};

// Accepts connections until a stop, and then waits for all of them.
Task<Unit> serve(Loop& loop, Acceptor& acceptor, Server& server, const http::ServerLimits& limits,
                 std::stop_token stop);

}  // namespace snapgen::websocket
