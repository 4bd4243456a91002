// The part of Hub that handles messages of the browsers.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "runtime/json/reader.h"
#include "runtime/json/rules.h"
#include "runtime/json/values.h"
#include "schemas/bridge/connect_ack.h"
#include "schemas/bridge/disconnect_ack.h"
#include "schemas/bridge/ping.h"
#include "schemas/bridge/pong.h"
#include "schemas/bridge/protocol_version.h"
#include "tools/bridge/failures.h"
#include "tools/bridge/hub.h"
#include "tools/bridge/lost_members.h"
#include "tools/bridge/permissions.h"

namespace snapgen::tools::bridge {
namespace {

constexpr int missed_pings_max = 2;
constexpr int invalid_messages_max = 100;  // Number of invalid messages after which a connection is closed.
constexpr std::size_t command_names = 8;
constexpr std::array<std::string_view, 5> message_types = {"ping", "pong", "disconnect", "response", "event"};

std::string_view protocol_version() { return tools::text(BridgeProtocolVersion::v1_0_0); }

std::string major_of(std::string_view version) { return std::string(version.substr(0, version.find('.'))); }

// Reads a message. Errors: invalid_argument, with what is wrong in the message.
template <class Message>
Result<Message> parse(std::string_view text, void (*read_message)(json::Reader&, Message&), Quotes quotes) {
  if (!json::valid_utf8(text)) return Error(ErrorCode::invalid_argument, "not UTF-8");
  json::Reader in(text);
  Message message;
  read_message(in, message);
  in.end();
  if (in.ok()) return message;
  return mismatch(in, {}, quotes);
}

// Returns the member `name` of a message, which need not match a schema; empty if it has no such string.
std::string string_member(std::string_view text, std::string_view name) {
  if (!json::valid_utf8(text)) return {};
  json::Reader in(text);
  std::string value;
  return in.peek_member(name, value) ? value : std::string();
}

BridgeRefusal refusal_of(core::PairingRefusal refusal) {
  using Code = BridgeRefusalCode;
  switch (refusal) {
    case core::PairingRefusal::connection_limit:
      return {.code = Code::connection_limit,
              .message = "Too many browsers are connected. Try again later.",
              .retry_allowed = true};
    case core::PairingRefusal::token_already_used:
      return {.code = Code::token_already_used,
              .message = "The token was already used. Ask for a new one.",
              .retry_allowed = true};
    case core::PairingRefusal::code_void:
      return {.code = Code::token_expired,
              .message =
                  "This code is void, because wrong codes were tried after it was issued. Ask for a new one.",
              .retry_allowed = true};
    case core::PairingRefusal::token_expired:
      return {.code = Code::token_expired,
              .message = "The token has expired. Ask for a new one.",
              .retry_allowed = true};
    case core::PairingRefusal::version_mismatch:
      return {.code = Code::version_mismatch,
              .message = "This server speaks " + major_of(protocol_version()) +
                         ".x of the protocol. Update the extension or the server.",
              .retry_allowed = false};
    case core::PairingRefusal::invalid_token: break;
  }
  return {.code = Code::invalid_token, .message = "Unknown token or code.", .retry_allowed = true};
}

std::vector<CommandName> commands_for(core::Permissions permissions) {
  std::vector<CommandName> out;
  for (std::size_t i = 0; i != command_names; ++i) {
    const auto each = static_cast<CommandName>(i);
    if ((permissions & permission_bit(permission_for(each))) != 0) out.push_back(each);
  }
  return out;
}

}  // namespace

void BrowserConnection::ring() {
  if (session) return hub.send_heartbeat(*this);
  end(Error(ErrorCode::permission_denied, "The browser sent no connect message in time."));
}

void Session::ring() { hub.drop(*this); }

void Hub::receive_first_message(BrowserConnection& connection, std::string_view text) {
  Result<BridgeFirstMessage> message = parse(text, read_bridge_first_message, Quotes::values);
  if (!message) {
    BridgeRefusal refusal = refusal_of(core::PairingRefusal::invalid_token);
    refusal.message =
        "The first message must be a valid connect or reconnect (" + message.error().message + ").";
    return refuse(connection, std::move(refusal));
  }
  if (const BridgeConnect* first = std::get_if<BridgeConnect>(&*message))
    connect(connection, *first);
  else
    reconnect(connection, std::get<BridgeReconnect>(*message));
  if (connection.session)
    log_unknown_members(*connection.session, string_member(text, "type"), {}, text,
                        [&message] { return json::to_json(*message); });
}

void Hub::refuse(BrowserConnection& connection, core::PairingRefusal refusal) {
  refuse(connection, refusal_of(refusal));
}

void Hub::refuse(BrowserConnection& connection, BridgeRefusal refusal) {
  BridgeConnectError out{.error = std::move(refusal)};
  if (out.error.retry_allowed) out.error.new_token_url = options_.new_token_url;
  connection.send(json::to_json(out));
  log_.write(Severity::info, "The bridge refused a browser: " + out.error.message);
  connection.end(Error(ErrorCode::permission_denied, std::string(tools::text(out.error.code))));
}

bool Hub::check_version(BrowserConnection& connection, const std::string& version) {
  if (major_of(version) == major_of(protocol_version())) return true;
  refuse(connection, core::PairingRefusal::version_mismatch);
  return false;
}

bool Hub::make_room() {
  if (sessions_.size() < static_cast<std::size_t>(options_.limits.max_browsers)) return true;
  Session* oldest = nullptr;
  for (const auto& [id, each] : sessions_)
    if (!each->connection && (!oldest || each->connection_number < oldest->connection_number))
      oldest = each.get();
  if (oldest) drop(*oldest);
  return oldest != nullptr;
}

void Hub::connect(BrowserConnection& connection, const BridgeConnect& message) {
  if (!check_version(connection, message.version)) return;
  const bool has_room =
      sessions_.size() < static_cast<std::size_t>(options_.limits.max_browsers) ||
      std::ranges::any_of(sessions_, [](const auto& each) { return !each.second->connection; });
  // The limit is checked before the token is redeemed, so that the browser can use the token in a later
  // attempt.
  if (!has_room) return refuse(connection, core::PairingRefusal::connection_limit);
  const std::variant<core::Grant, core::PairingRefusal> outcome =
      pairings_.redeem(message.token, options_.clock());
  if (const core::PairingRefusal* refusal = std::get_if<core::PairingRefusal>(&outcome))
    return refuse(connection, *refusal);
  make_room();
  auto made = std::make_unique<Session>(*this, std::get<core::Grant>(outcome), options_.limits);
  Session& session = *made;
  sessions_.emplace(session.id, std::move(made));
  if (message.client_info) session.client_info = *message.client_info;
  attach_browser(connection, session, false, {});
}

void Hub::reconnect(BrowserConnection& connection, const BridgeReconnect& message) {
  if (!check_version(connection, message.version)) return;
  const std::optional<core::ReconnectToken> of = pairings_.read_reconnect_token(message.reconnect_token);
  if (!of) return refuse(connection, core::PairingRefusal::invalid_token);
  Session* session = find(of->session_id);
  if (!session) return refuse(connection, core::PairingRefusal::token_expired);
  // If the browser has sent nothing since it was sent the latest token, it may not have received it. Then the
  // token before that is also valid.
  const bool is_latest = of->generation == session->generation;
  const bool is_one_before = of->generation + 1 == session->generation && !session->is_acknowledged;
  if (!is_latest && !is_one_before) return refuse(connection, core::PairingRefusal::token_already_used);
  if (message.client_info) session->client_info = *message.client_info;
  attach_browser(connection, *session, true, message.received);
}

void Hub::attach_browser(BrowserConnection& connection, Session& session, bool resumed,
                         const std::vector<std::string>& received) {
  if (BrowserConnection* old = std::exchange(session.connection, &connection)) {
    old->session = nullptr;
    old->end(Error(ErrorCode::unavailable, "The session continues in another connection."));
  }
  loop_.port().cancel(session);
  connection.session = &session;
  // A connection with a valid token must not be closed to make room for one without.
  connection.channel.set_busy(true);
  session.connected_ms = options_.clock();
  session.connection_number = ++connection_count_;
  session.is_acknowledged = false;
  ++session.generation;
  const BridgeLimits& limits = options_.limits;
  BridgeConnectAck ack;
  ack.session_id = session.id;
  ack.server_capabilities.max_message_size = limits.max_message_size_bytes;
  ack.server_capabilities.supported_commands = commands_for(session.permissions);
  ack.server_capabilities.protocol_version = protocol_version();
  ack.server_capabilities.limits = limits;
  ack.keep_alive_interval = limits.keep_alive_interval_ms;
  ack.permissions = permissions_in(session.permissions);
  ack.reconnect_token =
      pairings_.reconnect_token({.session_id = session.id, .generation = session.generation});
  ack.resume_window_ms = limits.resume_window_ms;
  ack.resumed = resumed;
  const auto is_answered = [&](const PendingCommand* each) {
    return std::ranges::find(received, each->id) != received.end();
  };
  for (const PendingCommand* each : session.pending_commands)
    if (is_answered(each)) ack.awaiting.push_back(each->id);
  connection.channel.send(json::to_json(ack));
  for (const PendingCommand* each : session.pending_commands)
    if (!is_answered(each)) connection.channel.send(each->text);
  connection.channel.flush();
  loop_.port().cancel(connection);
  loop_.port().start(connection, Millis(limits.keep_alive_interval_ms));
  log_.write(Severity::info, "The bridge's session " + session.id + (resumed ? " continues." : " begins."));
  changed_.set();
}

void Hub::receive(BrowserConnection& connection, std::string_view text) {
  Session* session = connection.session;
  if (!session) return;
  session->is_acknowledged = true;
  Result<BridgeSessionMessage> message = parse(text, read_bridge_session_message, Quotes::nothing);
  const std::string type = string_member(text, "type");
  if (!message) {
    // The command fails at once, because there will be no other answer.
    PendingCommand* pending = find_pending(*session, string_member(text, "message_id"));
    if (!pending) return reject_message(connection, type, message.error().message);
    pending->response = invalid_response(message.error());
    return pending->finish(PendingCommand::End::answered);
  }
  log_unknown_members(*session, type, {}, text, [&message] { return json::to_json(*message); });
  if (BridgeResponse* response = std::get_if<BridgeResponse>(&*message)) {
    take_response(connection, std::move(*response));
  } else if (BridgeEvent* event = std::get_if<BridgeEvent>(&*message)) {
    take_event(connection, std::move(*event));
  } else if (const BridgePing* ping = std::get_if<BridgePing>(&*message)) {
    const std::int64_t now = options_.clock();
    BridgePong pong{.timestamp = core::iso_time(now)};
    const std::optional<std::int64_t> sent = core::ms_of_iso_time(ping->timestamp);
    // The difference is negative if the browser's clock is ahead.
    if (sent) pong.latency_ms = static_cast<double>(std::max<std::int64_t>(now - *sent, 0));
    connection.send(json::to_json(pong));
  } else if (std::holds_alternative<BridgePong>(*message)) {
    if (std::exchange(connection.is_ping_unanswered, false))
      session->latency_ms = core::steady_ms() - connection.ping_sent_ms;
    connection.missed_pongs = 0;
    connection.pong_problem.clear();
  } else if (const BridgeDisconnect* disconnecting = std::get_if<BridgeDisconnect>(&*message)) {
    disconnect(connection, *disconnecting);
  }
}

void Hub::reject_message(BrowserConnection& connection, const std::string& type, const std::string& problem) {
  const int count = ++connection.invalid_messages;
  const bool is_known = std::ranges::find(message_types, type) != message_types.end();
  warn_once(connection, is_known ? type : std::string(),
            "ignored a message " + (is_word(type) ? "of type \"" + type + "\" " : std::string()) +
                "that does not match the protocol: " + problem + ". Later ones " +
                (is_known ? "of this type" : "of unknown types"));
  if (type == "pong") connection.pong_problem = problem;
  // A browser shows at most 123 bytes of this.
  if (count == invalid_messages_max)
    connection.end(
        Error(ErrorCode::permission_denied,
              std::to_string(count) + " messages did not match the protocol. The last: " + problem));
}

void Hub::warn_once(BrowserConnection& connection, const std::string& kind, const std::string& sentence) {
  if (!connection.logged_kinds.insert(kind).second) return;
  log_.write(Severity::warning,
             "Session " + connection.session->id + ": " + sentence + " are not logged for this connection.");
}

void Hub::log_unknown_members(Session& session, const std::string& what, std::string_view pointer,
                              std::string_view sent, const std::function<std::string()>& accepted) {
  if (!log_.is_enabled(Severity::info) || session.with_unknown_members.contains(what)) return;
  std::string names;
  for (const std::string& each : lost_members(sent, accepted()))
    names += (names.empty() ? "" : ", ") + quotable(std::string(pointer) + each);
  if (names.empty()) return;
  session.with_unknown_members.insert(what);
  log_.write(Severity::info, "Session " + session.id + ", " + what +
                                 ": ignored members that the schema does not have: " + names + ".");
}

void Hub::receive_oversize(BrowserConnection& connection, std::uint64_t bytes) {
  if (!connection.session) return;
  for (PendingCommand* each : std::exchange(connection.session->pending_commands, {})) {
    each->session = nullptr;
    each->answer_bytes = bytes;
    each->finish(PendingCommand::End::oversize);
  }
  connection.end(
      Error(ErrorCode::too_large, "A message had " + std::to_string(bytes) + " bytes; it may have " +
                                      std::to_string(options_.limits.max_message_size_bytes) + "."));
}

PendingCommand* Hub::find_pending(const Session& session, std::string_view id) {
  const auto found = std::ranges::find(session.pending_commands, id, &PendingCommand::id);
  const bool waits = found != session.pending_commands.end() && (*found)->end == PendingCommand::End::none;
  return waits ? *found : nullptr;
}

bool Hub::has_sent(std::string_view message_id) const {
  if (!message_id.starts_with(message_id_prefix)) return false;
  const std::string_view digits = message_id.substr(message_id_prefix.size());
  std::uint64_t number = 0;
  const std::from_chars_result read = std::from_chars(digits.begin(), digits.end(), number);
  return read.ec == std::errc() && read.ptr == digits.end() && number <= last_message_number_;
}

void Hub::take_response(BrowserConnection& connection, BridgeResponse response) {
  const std::string& id =
      std::visit([](const auto& each) -> const std::string& { return each.message_id; }, response);
  PendingCommand* pending = find_pending(*connection.session, id);
  if (!pending) {
    // The call may have ended, or already have its answer.
    if (!has_sent(id)) reject_message(connection, "response", "/message_id: no command has this id");
    return;
  }
  pending->response = std::move(response);
  pending->answered_ms = core::steady_ms();
  pending->finish(PendingCommand::End::answered);
}

void Hub::take_event(BrowserConnection& connection, BridgeEvent event) {
  Session& session = *connection.session;
  const std::size_t bytes = event.payload ? event.payload->text.size() : 0;
  if (bytes > static_cast<std::size_t>(options_.limits.max_event_bytes)) {
    warn_once(connection, "long event",
              "dropped an event whose payload has " + std::to_string(bytes) + " bytes; it may have " +
                  std::to_string(options_.limits.max_event_bytes) + ". Later ones that are too long");
    return events_.count_dropped();
  }
  if (!session.event_bucket.take(1, options_.clock()).ok) {
    warn_once(connection, "frequent event",
              "dropped an event, because there were more than " +
                  std::to_string(options_.limits.max_events_per_second) + " in a second. Later ones");
    return events_.count_dropped();
  }
  events_.add({.session_id = session.id,
               .type = static_cast<int>(event.event_type),
               .timestamp = std::move(event.timestamp).value_or(""),
               .payload = event.payload ? std::move(event.payload->text) : std::string()});
  event_arrived_.set();
  if (options_.on_event) options_.on_event();
}

void Hub::disconnect(BrowserConnection& connection, const BridgeDisconnect& message) {
  Session& session = *connection.session;
  BridgeDisconnectAck ack;
  ack.state_saved = message.save_state;
  const std::vector<PendingCommand*> lost = std::exchange(session.pending_commands, {});
  for (PendingCommand* each : lost) {
    each->session = nullptr;
    each->finish(PendingCommand::End::lost);
  }
  connection.session = nullptr;
  session.connection = nullptr;
  if (message.save_state) {
    ++session.generation;
    session.is_acknowledged = true;
    ack.reconnect_token =
        pairings_.reconnect_token({.session_id = session.id, .generation = session.generation});
    ack.valid_until = core::iso_time(options_.clock() + options_.limits.saved_window_ms);
    loop_.port().start(session, Millis(options_.limits.saved_window_ms));
  } else {
    drop(session);
  }
  connection.send(json::to_json(ack));
  connection.end();
  changed_.set();
}

void Hub::remove_connection(BrowserConnection& connection) {
  loop_.port().cancel(connection);
  Session* session = std::exchange(connection.session, nullptr);
  if (!session) return;
  session->connection = nullptr;
  loop_.port().start(*session, Millis(options_.limits.resume_window_ms));
  const std::string ended = "The connection of the bridge's session " + session->id + " ended";
  if (connection.reason)
    log_.write(Severity::warning, ended + ": " + connection.reason->message);
  else
    log_.write(Severity::info, ended + ".");
  changed_.set();
}

void Hub::drop(Session& session) {
  loop_.port().cancel(session);
  for (PendingCommand* each : session.pending_commands) {
    each->session = nullptr;
    each->finish(PendingCommand::End::lost);
  }
  sessions_.erase(sessions_.find(session.id));
  changed_.set();
}

void Hub::send_heartbeat(BrowserConnection& connection) {
  if (connection.is_ping_unanswered && ++connection.missed_pongs >= missed_pings_max)
    return connection.end(
        Error(ErrorCode::unavailable,
              connection.pong_problem.empty()
                  ? "The browser did not answer pings. Reload its page to connect again."
                  : "The browser's pongs did not match the protocol: " + connection.pong_problem + "."));
  loop_.port().start(connection, Millis(options_.limits.keep_alive_interval_ms));
  const BridgePing ping{.timestamp = core::iso_time(options_.clock())};
  connection.ping_sent_ms = core::steady_ms();
  connection.is_ping_unanswered = true;
  connection.send(json::to_json(ping));
}

}  // namespace snapgen::tools::bridge
