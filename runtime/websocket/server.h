#pragma once
// The server's side of WebSocket: takes over what http::serve() accepted and a client asks to upgrade, and
// lets the service of the chosen subprotocol serve it.
//
//   websocket::Server sockets(loop, options, {{.protocol = "mcp", .serve = ...}}, stop);
//   Task<Unit> serving = websocket::serve(loop, *acceptor, sockets, limits, stop);
#include <cstddef>
#include <functional>
#include <list>
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
  std::string protocol;  // Empty: for clients that name none that another service has.
  // Serves one connection to its end, or until a stop. The close is the server's business; a
  // permission_denied is told to the peer as a policy violation (1008), an unavailable as going away (1001),
  // each with its message.
  std::function<Task<Unit>(Connection&, std::stop_token)> serve;
  // Instead of what the server's options say.
  std::optional<std::vector<std::string>> origins = {};
  std::optional<ConnectionOptions> connection = {};
  // Whom it refuses of those that the rules let in; null: nobody.
  std::function<std::optional<http::Denial>(const http::Head&)> deny = {};
};

struct ServerOptions {
  HandshakeRules rules;  // `protocols` are those of the services.
  ConnectionOptions connection;
  // Beyond it that one gives way (1013) which never sent a message, or has sent none for the longest time,
  // and for which nothing is done; if there is none, who comes is refused with 503.
  std::size_t connections = 10'000;
  // How many more there are for a moment, of those that are leaving.
  std::size_t leaving_max() const { return connections / 8 + 1; }
  // Answers requests that ask for no WebSocket, of those who may call the server by its Host; null: they are
  // refused.
  http::Handler* pages = nullptr;
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
  // How a service is reached, and how it is served.
  struct Entry {
    Service service;
    HandshakeRules rules;
    ConnectionOptions connection;
  };

  // The one whose protocol the client names first, or the one without a name; null: neither.
  const Entry* entry_for(const http::Head& head) const;
  // Who gives way if one more comes; null: nobody need, or may.
  Connection* who_gives_way() const;
  bool is_full() const;
  std::size_t count_leaving() const;
  bool is_page(const http::Head& head) const;
  Task<Unit> serve(std::unique_ptr<Stream> stream, std::unique_ptr<Opening> opening, const Entry& entry);

  Loop& loop_;
  ServerOptions options_;
  std::vector<Entry> entries_;
  Chunks chunks_;
  std::list<Connection*> connections_;  // Who came first is the first.
  Scope sockets_;
};

// Accepts connections until a stop, and then waits for all of them.
Task<Unit> serve(Loop& loop, Acceptor& acceptor, Server& server, const http::ServerLimits& limits,
                 std::stop_token stop);

}  // namespace snapgen::websocket
