#pragma once
// Hub owns the sessions of all browsers of one server, and sends them commands. It is used on the loop's
// thread. It must outlive the connections of serve_browser(), and the calls that use it.
//
// A session is one pairing, and may have several connections after one another. A command that was sent
// before a connection broke waits for its answer until its timeout. It is sent again only if the browser
// reports that it has not received it. So no message is answered or executed twice.
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
#include "schemas/bridge/connect_error.h"
#include "schemas/bridge/first_message.h"
#include "schemas/bridge/session_message.h"
#include "tools/bridge/event_log.h"
#include "tools/bridge/pairing.h"
#include "tools/bridge/session.h"
#include "tools/engine/base/utc.h"

namespace snapgen::tools::bridge {

inline constexpr std::string_view message_id_prefix = "msg_";  // Before the number of a command.

struct HubOptions {
  BridgeLimits limits;
  std::string url;            // The address for browsers, such as ws://127.0.0.1:8765/.
  std::string new_token_url;  // The page for pairing, such as http://127.0.0.1:8765/new-token.
  std::string token_secret;   // The key for tokens; random if empty.
  std::function<std::int64_t()> clock = core::now_ms;
  std::function<void()> on_event;  // A function that is called for every new event; may be empty.
};

// A command or a batch for a browser.
struct Request {
  std::string command;  // A command such as create_blocks, or batch.
  core::Permissions permissions = 0;
  std::int64_t count = 1;  // The number of commands, for the rate limit.
  std::optional<std::string> session_id;
  std::int64_t timeout_ms = 0;
  bool may_retry = false;  // True to try again after a failure that may be temporary.
  // Returns the text of the message, which is sent at this time, with this id, for this session.
  std::function<std::string(const std::string& id, const std::string& session_id,
                            const std::string& timestamp)>
      render;
  // Reads the payload of the answer. Its error becomes that of the call.
  std::function<Result<Unit>(const json::Raw& payload)> read_payload;
  // Returns what read_payload has read, as JSON, to find members that it ignored. May be empty.
  std::function<std::string()> payload_text;
};

struct Reply {
  std::string session_id;
  std::string message_id;
  std::int64_t attempts = 1;
  double round_trip_ms = 0;
};

class Hub {
 public:
  // Creates a hub. Errors: internal (no random numbers available).
  static Result<std::unique_ptr<Hub>> create(Loop& loop, const Log& log, HubOptions options);
  Hub(Hub&&) = delete;
  ~Hub();

  // Sends the request, waits for its response, and retries if the request allows it. `sent_to` becomes the id
  // of the session that was chosen last, also if the command fails, or empty if none was chosen. `request`
  // and `sent_to` must outlive the task. Errors: a failure of this family; cancelled.
  Task<Reply> ask(const Request& request, std::string& sent_to, std::stop_token stop);

  // Creates a pairing for the host. Errors: internal.
  Result<core::Pairing> pair(core::Permissions permissions);
  // Creates a pairing on request of a web page. Only the host sees its code, in status(). There is at most
  // one at a time.
  Result<Unit> request_pairing();

  BridgeStatus status() const;
  EventPage events(const BridgeEventsInput& in) const;
  // This event is set when a browser reports an event.
  Event& event_arrived() { return event_arrived_; }
  // This event is set when a browser has connected or disconnected, or a command has ended.
  Event& changed() { return changed_; }

  Loop& loop() { return loop_; }
  const HubOptions& options() const { return options_; }

  // These are called by serve_browser().
  void receive_first_message(BrowserConnection& connection, std::string_view text);
  void receive(BrowserConnection& connection, std::string_view text);
  // Ends the connection and the commands of a browser that sent a message of so many bytes, which is too long
  // to be received: one of the commands has this answer, and it will not be sent in another form.
  void receive_oversize(BrowserConnection& connection, std::uint64_t bytes);
  void remove_connection(BrowserConnection& connection);
  void send_heartbeat(BrowserConnection& connection);

 private:
  friend struct Session;
  using Attempt = std::variant<Reply, Error>;

  Hub(Loop& loop, const Log& log, HubOptions options, std::unique_ptr<Signer> signer);

  Task<Attempt> attempt(const Request& request, std::string& sent_to, std::int64_t deadline_ms,
                        std::stop_token stop);
  // Returns the session for a request; null if there is none, but a browser can still pair. Errors:
  // NO_BROWSER (unknown session_id; there is none, and no pairing is open).
  Result<Session*> choose_session(const Request& request);
  std::optional<Error> request_refusal(Session& session, const Request& request);
  Error no_browser_error() const;

  void connect(BrowserConnection& connection, const BridgeConnect& message);
  void reconnect(BrowserConnection& connection, const BridgeReconnect& message);
  void refuse(BrowserConnection& connection, core::PairingRefusal refusal);
  void refuse(BrowserConnection& connection, BridgeRefusal refusal);
  bool check_version(BrowserConnection& connection, const std::string& version);
  // Returns whether there can be another session. If necessary, ends one that is disconnected.
  bool make_room();
  void attach_browser(BrowserConnection& connection, Session& session, bool resumed,
                      const std::vector<std::string>& received);
  // Ignores a message that does not match the protocol, and counts it. `type` is its type, which need not be
  // a known one. Only the first message of each known type, and the first of all others, is logged.
  void reject_message(BrowserConnection& connection, const std::string& type, const std::string& problem);
  // Logs what happened to a message of this kind, unless it has logged another one of the connection, so that
  // a browser cannot flood the log.
  void warn_once(BrowserConnection& connection, const std::string& kind, const std::string& sentence);
  // Returns the command with this id that still waits for its answer; null if there is none.
  static PendingCommand* find_pending(const Session& session, std::string_view id);
  bool has_sent(std::string_view message_id) const;
  // Logs the members of `sent`, the JSON at `pointer` of a message, that `accepted` lacks: once in a session
  // for each `what`, a command or a type of message. Calls accepted() only if the line would be logged.
  void log_unknown_members(Session& session, const std::string& what, std::string_view pointer,
                           std::string_view sent, const std::function<std::string()>& accepted);
  void take_response(BrowserConnection& connection, BridgeResponse response);
  void take_event(BrowserConnection& connection, BridgeEvent event);
  void disconnect(BrowserConnection& connection, const BridgeDisconnect& message);
  void drop(Session& session);
  void record_command(const Request& request, const std::optional<std::string>& session_id,
                      double round_trip_ms, std::string outcome);
  Session* find(std::string_view id);

  Loop& loop_;
  const Log& log_;
  HubOptions options_;
  core::Pairings pairings_;
  core::EventLog events_;
  std::map<std::string, std::unique_ptr<Session>, std::less<>> sessions_;
  Event changed_;
  Event event_arrived_;
  std::deque<PastCommand> past_commands_;  // The commands that have ended, the latest first.
  std::uint64_t last_message_number_ = 0;
  std::uint64_t connection_count_ = 0;
};

}  // namespace snapgen::tools::bridge
