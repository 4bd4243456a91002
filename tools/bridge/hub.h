#pragma once
// Hub: all browsers of one server, and what they were told to do. Lives on the loop's thread; outlives the
// connections that serve_browser() serves, and the calls that ask.
//
// A session is one pairing. Its connection may break and come back; a command that was sent then waits for
// its answer until its own time is over, and is sent again only if the browser says that it never came. So a
// command is answered at most once and never runs twice.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/async/loop.h"
#include "runtime/base/log.h"
#include "runtime/base/result.h"
#include "runtime/json/writer.h"
#include "schemas/bridge/bridge_events.h"
#include "schemas/bridge/bridge_limits.h"
#include "schemas/bridge/bridge_status.h"
#include "schemas/bridge/browser_message.h"
#include "schemas/bridge/connect_error.h"
#include "tools/bridge/event_log.h"
#include "tools/bridge/pairing.h"
#include "tools/bridge/session.h"
#include "tools/engine/base/utc.h"

namespace snapgen::tools::bridge {

struct HubOptions {
  BridgeLimits limits;
  std::string url;            // ws://127.0.0.1:8765/
  std::string new_token_url;  // http://127.0.0.1:8765/new-token
  std::string secret;         // The key of tokens; empty: made at random.
  std::function<std::int64_t()> clock = core::now_ms;
  std::function<void()> announce;  // Called when an event came; may be absent.
};

// One thing to be done by a browser.
struct Request {
  std::string command;  // create_blocks, ...; batch
  core::Permissions permissions = 0;
  std::int64_t count = 1;  // Commands, for the rate.
  std::optional<std::string> session_id;
  std::int64_t timeout_ms = 0;
  bool repeats = false;  // It may be sent again after a failure that may pass.
  // The message, with this id, for this session, sent at this time.
  std::function<std::string(const std::string& id, const std::string& session_id,
                            const std::string& timestamp)>
      render;
};

struct Reply {
  std::string session_id;
  std::string message_id;
  std::int64_t attempts = 1;
  double round_trip_ms = 0;
  json::Raw payload;  // As it came, not looked at.
};

class Hub {
 public:
  // Errors: internal (the system gives no random numbers).
  static Result<std::unique_ptr<Hub>> create(Loop& loop, const Log& log, HubOptions options);
  Hub(Hub&&) = delete;
  ~Hub();

  // Sends the request, waits for its response, and tries again where that was asked for. `request` outlives
  // the task. Errors: a failure of this family; cancelled.
  Task<Reply> ask(const Request& request, std::stop_token stop);

  // Errors: internal.
  Result<core::Pairing> pair(core::Permissions permissions);
  // For the page: a pairing that the host sees in status(), and nobody else. One at a time.
  Result<Unit> ask_for_pairing();

  BridgeState status() const;
  EventPage events(const BridgeEventsInput& in) const;
  // Set when an event came.
  Event& event_came() { return event_came_; }
  // Set when a browser came or went, or a command ended.
  Event& changed() { return changed_; }

  Loop& loop() { return loop_; }
  const HubOptions& options() const { return options_; }

  // For serve_browser().
  void greet(BrowserConnection& connection, std::string_view text);
  void receive(BrowserConnection& connection, std::string_view text);
  void gone(BrowserConnection& connection);
  void beat(BrowserConnection& connection);

 private:
  friend struct Session;
  using Attempt = std::variant<Reply, Error>;

  Hub(Loop& loop, const Log& log, HubOptions options, std::unique_ptr<Signer> signer);

  Task<Attempt> attempt(const Request& request, std::int64_t deadline_ms, std::stop_token stop);
  // Null: none is connected, and one may be soon. Errors: NO_BROWSER, PERMISSION_DENIED.
  Result<Session*> choose(const Request& request);
  std::optional<Error> refuse(Session& session, const Request& request);
  Error nobody() const;

  void connect(BrowserConnection& connection, const BridgeConnect& message);
  void reconnect(BrowserConnection& connection, const BridgeReconnect& message);
  void refuse(BrowserConnection& connection, core::Refusal refusal);
  bool speaks(BrowserConnection& connection, const std::string& version);
  // Whether there is room for one more session; makes it of one that is away.
  bool make_room();
  void welcome(BrowserConnection& connection, Session& session, bool resumed,
               const std::vector<std::string>& received);
  void take_response(Session& session, BridgeResponse response);
  void take_event(Session& session, BridgeEvent event);
  void disconnect(BrowserConnection& connection, const BridgeDisconnect& message);
  void drop(Session& session);
  void note(const Request& request, const std::string& session_id, double round_trip_ms, std::string outcome);
  Session* find(std::string_view id);

  Loop& loop_;
  const Log& log_;
  HubOptions options_;
  core::Pairings pairings_;
  core::EventLog events_;
  std::map<std::string, std::unique_ptr<Session>, std::less<>> sessions_;
  Event changed_;
  Event event_came_;
  std::deque<PastCommand> past_;  // The latest first.
  std::uint64_t ids_ = 0;
  std::uint64_t arrivals_ = 0;
};

}  // namespace snapgen::tools::bridge
