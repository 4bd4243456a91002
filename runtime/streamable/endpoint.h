#pragma once
// Endpoint: MCP's Streamable HTTP transport, in both eras, on one path.
//
// Legacy clients (up to 2025-11-25) open a session with `initialize` and name it in Mcp-Session-Id ever
// after; each session is an mcp session of its own. Requests of modern clients (2026-07-28) stand by
// themselves; one mcp session serves those of all clients, so that a call that was answered with questions
// can be repeated on any connection.
//
//   streamable::Endpoint endpoint(loop, server, {.access = {.token = token}});
//   Task<Unit> serving = streamable::serve(loop, *acceptor, endpoint, http::ServerLimits(), stop);
//
// It outlives the connections, and is joined by serve().
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/async/acceptor.h"
#include "runtime/async/loop.h"
#include "runtime/http/server.h"
#include "runtime/mcp/message.h"
#include "runtime/mcp/server.h"
#include "runtime/streamable/guard.h"
#include "runtime/streamable/replay_buffer.h"
#include "runtime/streamable/request_streams.h"

namespace snapgen::streamable {

struct EndpointOptions {
  std::string path = "/mcp";
  Access access;
  // At this many, another session takes the place of the one that was used least recently.
  std::size_t sessions = 4096;
  // Of what was said to nobody, or on connections that may have broken, in all sessions together; above this
  // the oldest is forgotten.
  std::size_t kept_bytes = 32 << 20;
  // Streams on which nothing is said get a comment so often, and answers that take longer become streams:
  // proxies and clients close what is silent.
  Millis heartbeat{15'000};
};

class Endpoint final : public http::Handler {
 public:
  Endpoint(Loop& loop, mcp::Server& server, EndpointOptions options);
  Endpoint(Endpoint&&) = delete;
  ~Endpoint();

  std::string fields_of_all(const http::Head& head) override;
  std::optional<http::Denial> deny(const http::Head& head) override;
  Task<Unit> handle(http::Connection& connection, std::stop_token stop) override;

  // Ends every session, and waits for it. None is opened any more.
  Task<Unit> close();
  std::size_t sessions() const { return sessions_.size(); }

 private:
  struct LegacySession;
  using Sessions = std::list<std::shared_ptr<LegacySession>>;

  Task<Unit> post(http::Connection& connection);
  Task<Unit> post_stateless(http::Connection& connection);
  Task<Unit> post_legacy(http::Connection& connection, std::shared_ptr<LegacySession> session);
  Task<Unit> get(http::Connection& connection);
  void remove(http::Connection& connection);

  Result<std::shared_ptr<LegacySession>> open_session();
  // What is wrong with the session that the request names; nothing: it is there.
  std::optional<http::Denial> session_fault(const http::Head& head) const;
  // Null: none of this name, and that has been said.
  std::shared_ptr<LegacySession> session_of(http::Connection& connection);
  Task<Unit> run_session(std::shared_ptr<LegacySession> session);
  Task<Unit> run_stateless();
  Task<Unit> keep_beating();
  void end_session(LegacySession& session);

  Loop& loop_;
  mcp::Server& server_;
  EndpointOptions options_;
  Scope scope_;
  Scope heart_;
  RequestStreams stateless_;
  ReplayBuffer replay_buffer_;
  mcp::Message message_;
  Sessions by_use_;  // The one used last is the first.
  std::unordered_map<std::string_view, Sessions::iterator> sessions_;
  bool closing_ = false;
};

// Serves the endpoint at this socket, until a stop.
Task<Unit> serve(Loop& loop, Acceptor& acceptor, Endpoint& endpoint, const http::ServerLimits& limits,
                 std::stop_token stop);

}  // namespace snapgen::streamable
