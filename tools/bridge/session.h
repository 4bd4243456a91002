#pragma once
// What the hub knows of a browser: its session, its connection, and the commands it has not answered.
#include <cstdint>
#include <optional>
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
#include "tools/engine/base/bucket.h"

namespace snapgen::tools::bridge {

class Hub;
struct Session;

// One connection; owned by serve_browser().
struct BrowserConnection final : Alarm {
  BrowserConnection(Hub& hub, Channel& channel) : hub(hub), channel(channel) {}
  BrowserConnection(BrowserConnection&&) = delete;

  // The heartbeat; before the session, the end of patience.
  void ring() override;
  void say(std::string_view text) {
    channel.send(text);
    channel.flush();
  }
  // No more is read. Errors are told to the peer as it is closed.
  void end(std::optional<Error> why = {}) {
    if (!reason) reason = std::move(why);
    over.request_stop();
  }

  Hub& hub;
  Channel& channel;
  Session* session = nullptr;
  std::stop_source over;
  std::optional<Error> reason;
  double ping_sent_ms = 0;
  bool ping_open = false;
  int missed = 0;
  int misfits = 0;  // Messages that did not fit their schema.
};

// A command that was not answered yet; owned by the call that waits for it.
struct Pending final : Alarm {
  enum class End : std::uint8_t { none, answered, late, lost };

  explicit Pending(Ready& loop) : over(loop) {}
  Pending(Pending&&) = delete;
  void ring() override { finish(End::late); }
  void finish(End how) {
    if (end != End::none) return;
    end = how;
    over.set();
  }

  std::string id;
  std::string text;            // What is sent.
  Session* session = nullptr;  // Null once it is out of the session's list.
  Event over;
  End end = End::none;
  BridgeResponse response;
  double sent_ms = 0;
  double answered_ms = 0;
};

struct Session final : Alarm {
  Session(Hub& hub, const core::Grant& grant, const BridgeLimits& limits)
      : hub(hub),
        id(grant.session_id),
        permissions(grant.permissions),
        rate(limits.rate_limit.max_commands_per_minute, limits.rate_limit.burst_allowance),
        events(limits.max_events_per_second * 60, limits.max_events_per_second) {}
  Session(Session&&) = delete;

  // Nobody came back in time.
  void ring() override;

  Hub& hub;
  std::string id;
  core::Permissions permissions;
  core::Bucket rate;
  core::Bucket events;
  BridgeClientInfo client_info;
  BrowserConnection* connection = nullptr;  // Null: away.
  std::uint64_t generation = 0;             // Of the reconnect token that is valid now.
  bool is_acknowledged = false;             // The browser has spoken since it got that.
  std::uint64_t arrival = 0;                // Higher: connected later.
  std::int64_t connected_ms = 0;
  std::int64_t commands = 0;
  std::optional<double> latency_ms;
  std::vector<Pending*> pending;  // In the order in which they were sent.
};

}  // namespace snapgen::tools::bridge
