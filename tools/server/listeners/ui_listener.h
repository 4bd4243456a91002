#pragma once
// UiListener: the port of `snap ui`, a page that shows the history of a workspace, and its API.
//
// Only the page that opened the URL may use the API. The URL has a token, which POST /api/session exchanges
// once for the secret that later requests send as their bearer token. The page stores the secret for its
// origin, so it survives a reload; unlike a cookie, browsers send it to no other port.
//
//   POST /api/session          the secret, as UiSession
//   POST /api/history_list     a tool: its arguments, and its answer or error (also history_rewind and _undo)
//   POST /api/history_diff     HistoryDiffQuery and HistoryDiff
//   POST /api/work             Work
//   GET /api/changes           an event stream, with an event for each change of the history
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "runtime/async/loop.h"
#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "runtime/http/server.h"
#include "tools/app/app.h"
#include "tools/server/guard/guarded_tools.h"

namespace snapgen::tools {

class UiListener final : http::Handler {
 public:
  // Opens the port on 127.0.0.1; 0 selects a free one. Blocks. All references must outlive the listener.
  // Errors: unavailable (the port is in use; the history is off), and those of App::workspace().
  static Result<std::unique_ptr<UiListener>> open(Loop& loop, App& app, GuardedTools& tools,
                                                  std::uint16_t port);
  UiListener(UiListener&&) = delete;

  // Returns the URL with the token.
  std::string url() const;
  // Accepts and serves connections until the stop.
  Task<Unit> serve(std::stop_token stop);

 private:
  UiListener(Loop& loop, App& app, GuardedTools& tools) : loop_(loop), app_(app), tools_(tools) {}

  std::string response_fields(const http::RequestHead& head) override;
  std::optional<http::Denial> deny(const http::RequestHead& head) override;
  Task<Unit> handle(http::Connection& connection, std::stop_token stop) override;

  void begin_session(http::Connection& connection);
  Task<Unit> call_tool(http::Connection& connection, const mcp::Tool& tool, std::stop_token stop);
  Task<Unit> send_answer(http::Connection& connection, std::stop_token stop);
  Task<Unit> send_changes(http::Connection& connection, std::stop_token stop);
  Task<Unit> watch_log(std::stop_token stop);

  Loop& loop_;
  App& app_;
  GuardedTools& tools_;
  std::unique_ptr<Acceptor> acceptor_;
  std::string token_;    // The token of the URL; empty when it was exchanged.
  std::string session_;  // The secret.
  Fd log_changes_;       // HistoryLog::watch().
  std::uint64_t change_count_ = 0;
  std::set<http::Connection*> streams_;  // The connections of send_changes().
};

}  // namespace snapgen::tools
