#pragma once
// Endpoint is MCP's Streamable HTTP transport on one path, for legacy and modern clients.
//
// Legacy clients (up to 2025-11-25) open a session with `initialize` and name it in Mcp-Session-Id; each has
// a separate mcp::Session. Modern clients (2026-07-28) are stateless. One mcp::Session serves the requests of
// all of them, so that a call that was answered with questions can be repeated on any connection.
//
//   streamable::Endpoint endpoint(loop, server, {.access = {.token = token}});
//   Task<Unit> serving = streamable::serve(loop, *acceptor, endpoint, http::ServerLimits(), stop);
//
// An endpoint must outlive its connections. serve() waits until its sessions have ended.
#include <cstddef>
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
#include "runtime/streamable/event_stream.h"
#include "runtime/streamable/guard.h"
#include "runtime/streamable/request_streams.h"

namespace snapgen::streamable {

struct EndpointOptions {
  std::string path = "/mcp";
  AccessRules access;
  // The limit of sessions. At the limit, a new session replaces the least recently used one.
  std::size_t sessions_max = 4096;
  // The limit of the replay buffer of all sessions, which has messages that may not have reached the client.
  // Beyond it, the oldest are dropped.
  std::size_t replay_bytes_max = 32 << 20;
  // The interval at which a silent event stream gets a comment, because proxies and clients close silent
  // connections. For the same reason, an answer that takes longer is sent as an event stream.
  Millis heartbeat_interval{15'000};
};

class Endpoint final : public http::Handler {
 public:
  Endpoint(Loop& loop, mcp::Server& server, EndpointOptions options);
  Endpoint(Endpoint&&) = delete;
  ~Endpoint();

  std::string response_fields(const http::RequestHead& head) override;
  std::optional<http::Denial> deny(const http::RequestHead& head) override;
  Task<Unit> handle(http::Connection& connection, std::stop_token stop) override;

  // Ends every session, and waits for it. No new session is opened afterwards.
  Task<Unit> close();
  std::size_t session_count() const { return sessions_.size(); }

 private:
  struct LegacySession;
  using Sessions = std::list<std::shared_ptr<LegacySession>>;

  Task<Unit> handle_post(http::Connection& connection);
  Task<Unit> post_stateless(http::Connection& connection);
  Task<Unit> post_legacy(http::Connection& connection, std::shared_ptr<LegacySession> session);
  Task<Unit> handle_get(http::Connection& connection);
  void handle_delete(http::Connection& connection);

  Result<std::shared_ptr<LegacySession>> open_session();
  // Returns what is wrong with the request's session, or nullopt if it exists.
  std::optional<http::Denial> session_fault(const http::RequestHead& head) const;
  // Returns the request's session, or null after it has answered that there is none.
  std::shared_ptr<LegacySession> session_of(http::Connection& connection);
  Task<Unit> run_session(std::shared_ptr<LegacySession> session);
  Task<Unit> run_stateless();
  Task<Unit> run_heartbeats();
  void end_session(LegacySession& session);

  Loop& loop_;
  mcp::Server& server_;
  EndpointOptions options_;
  TaskScope scope_;
  TaskScope heartbeat_scope_;
  RequestStreams stateless_;
  ReplayBuffer replay_buffer_;
  mcp::Message message_;
  Sessions sessions_by_use_;  // The most recently used is first.
  std::unordered_map<std::string_view, Sessions::iterator> sessions_;
  bool closing_ = false;
};

// Serves the endpoint at this socket until a stop is requested.
Task<Unit> serve(Loop& loop, Acceptor& acceptor, Endpoint& endpoint, const http::ServerLimits& limits,
                 std::stop_token stop);

}  // namespace snapgen::streamable
