#pragma once
// The state of a browser in the hub: its session, its connection, and its unanswered commands.
#include <cstdint>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/async/loop.h"
#include "runtime/transport/channel.h"
#include "schemas/bridge/bridge_limits.h"
#include "schemas/bridge/client_info.h"
#include "schemas/bridge/response.h"
#include "tools/bridge/pairing.h"
#include "tools/engine/base/token_bucket.h"

namespace snapgen::tools::bridge {

class Hub;
struct Session;

// The connection of a browser. serve_browser() owns it.
struct BrowserConnection final : Alarm {
  BrowserConnection(Hub& hub, Channel& channel) : hub(hub), channel(channel) {}
  BrowserConnection(BrowserConnection&&) = delete;

  // Sends a heartbeat, or ends the connection if the first message is late.
  void ring() override;
  void send(std::string_view text) {
    channel.send(text);
    channel.flush();
  }
  // Stops reading. The browser receives the error when the connection is closed.
  void end(std::optional<Error> why = {}) {
    if (!reason) reason = std::move(why);
    stop_source.request_stop();
  }

  Hub& hub;
  Channel& channel;
  Session* session = nullptr;
  std::stop_source stop_source;
  std::optional<Error> reason;
  double ping_sent_ms = 0;
  bool is_ping_unanswered = false;
  int missed_pongs = 0;
  int invalid_messages = 0;            // Number of messages that did not match the protocol.
  std::string pong_problem;            // What is wrong in the last pong; empty if nothing is.
  std::set<std::string> logged_kinds;  // The kinds of messages that Hub::warn_once() has logged.
};

// A command that was not answered yet. The call that waits for it owns it.
struct PendingCommand final : Alarm {
  enum class End : std::uint8_t { none, answered, late, lost, oversize };

  explicit PendingCommand(ReadyQueue& loop) : finished(loop) {}
  PendingCommand(PendingCommand&&) = delete;
  void ring() override { finish(End::late); }
  void finish(End how) {
    if (end != End::none) return;
    end = how;
    finished.set();
  }

  std::string id;
  std::string text;            // The text of the message, as it was sent.
  Session* session = nullptr;  // The session whose list has this command; null after its removal.
  Event finished;
  End end = End::none;
  Result<BridgeResponse> response = BridgeResponse();  // The answer, or the error of one that is invalid.
  std::uint64_t answer_bytes = 0;                      // The size of an answer that was too long.
  double sent_ms = 0;
  double answered_ms = 0;
};

struct Session final : Alarm {
  Session(Hub& hub, const core::Grant& grant, const BridgeLimits& limits)
      : hub(hub),
        id(grant.session_id),
        permissions(grant.permissions),
        command_bucket(limits.rate_limit.max_commands_per_minute, limits.rate_limit.burst_allowance),
        event_bucket(limits.max_events_per_second * 60, limits.max_events_per_second) {}
  Session(Session&&) = delete;

  // Ends the session, because the browser did not reconnect in time.
  void ring() override;

  Hub& hub;
  std::string id;
  core::Permissions permissions;
  core::TokenBucket command_bucket;
  core::TokenBucket event_bucket;
  BridgeClientInfo client_info;
  BrowserConnection* connection = nullptr;  // The current connection; null while the browser is disconnected.
  std::uint64_t generation = 0;             // The generation of the valid reconnect token.
  bool is_acknowledged = false;             // The browser has sent a message since it received that token.
  std::uint64_t connection_number = 0;      // A number that is greater for a later connection.
  std::int64_t connected_ms = 0;
  std::int64_t command_count = 0;
  std::optional<double> latency_ms;
  std::vector<PendingCommand*> pending_commands;  // Commands in the order in which they were sent.
  std::set<std::string> with_unknown_members;     // Commands and types of messages, for the log.
};

}  // namespace snapgen::tools::bridge
