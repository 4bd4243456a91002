#pragma once
// The WebSocket server: takes over connections of http::serve() whose clients ask for an upgrade, and passes
// each to the service of its subprotocol.
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
#include "runtime/websocket/connection.h"
#include "runtime/websocket/handshake.h"
#include "runtime/websocket/read_buffer_pool.h"

namespace snapgen::websocket {

struct Service {
  std::string protocol;  // Empty: for the clients that offer no known one.
  // Serves one connection until it ends or a stop is requested; the server then closes it. If it returns
  // permission_denied, the Close has the code 1008 (policy violation) and the error's message; for
  // unavailable it has 1001 (going away).
  std::function<Task<Unit>(Connection&, std::stop_token)> serve;
  // If set, these override the server's options.
  std::optional<std::vector<std::string>> origins = {};
  std::optional<ConnectionOptions> connection = {};
  // Returns the response to a request that is rejected although the rules allow it. It may be null.
  std::function<std::optional<http::Denial>(const http::RequestHead&)> deny = {};
};

struct ServerOptions {
  HandshakeRules rules;  // `protocols` is set from the services.
  ConnectionOptions connection;
  // The limit of connections. At the limit, an inactive connection is closed (1013): one whose peer never
  // sent a message, or else the longest silent one. If all are active, the new client is rejected with 503.
  std::size_t connections_max = 10'000;
  // How many connections beyond the limit may exist while they are closing.
  std::size_t closing_connections_max() const { return connections_max / 8 + 1; }
  // Called with a request whose Host or Origin the rules do not allow, and the subprotocol of the service
  // that it would have reached. It may be null.
  std::function<void(const http::RequestHead&, RejectedField, std::string_view protocol)> on_rejected_peer =
      {};
  // Answers the requests that ask for no WebSocket, if their Host is allowed. If null, they are rejected.
  http::Handler* page_handler = nullptr;
};

class Server final : public http::Handler {
 public:
  Server(Loop& loop, ServerOptions options, std::vector<Service> services, std::stop_token stop);
  Server(Server&&) = delete;

  std::optional<http::Denial> deny(const http::RequestHead& head) override;
  Task<Unit> handle(http::Connection& connection, std::stop_token stop) override;

  std::size_t connection_count() const { return connection_scope_.size(); }
  // Waits until every connection has ended; after a stop for at most ConnectionOptions::close_timeout.
  Task<Unit> join();

 private:
  // A service, with the rules and options that apply to it.
  struct Entry {
    Service service;
    HandshakeRules rules;
    ConnectionOptions connection;
  };

  // Returns the service for the client's first known subprotocol, or else the one without any, or null.
  const Entry* entry_for(const http::RequestHead& head) const;
  // Returns the connection to close for a new one, or null if none can be closed.
  Connection* connection_to_evict() const;
  bool is_full() const;
  std::size_t closing_count() const;
  bool is_page_request(const http::RequestHead& head) const;
  Task<Unit> serve(std::unique_ptr<Stream> stream, std::unique_ptr<HandshakeResult> opening,
                   const Entry& entry);

  Loop& loop_;
  ServerOptions options_;
  std::vector<Entry> entries_;
  ReadBufferPool read_buffers_;
  std::list<Connection*> connections_;  // The oldest is first.
  TaskScope connection_scope_;
};

// Accepts connections until a stop is requested, and then waits until all have ended.
Task<Unit> serve(Loop& loop, Acceptor& acceptor, Server& server, const http::ServerLimits& limits,
                 std::stop_token stop);

}  // namespace snapgen::websocket
