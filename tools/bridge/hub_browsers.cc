// The part of Hub that handles messages of the browsers.
#include <algorithm>
#include <utility>

#include "runtime/json/reader.h"
#include "runtime/json/values.h"
#include "schemas/bridge/connect_ack.h"
#include "schemas/bridge/disconnect_ack.h"
#include "schemas/bridge/ping.h"
#include "schemas/bridge/pong.h"
#include "schemas/bridge/protocol_version.h"
#include "tools/bridge/hub.h"
#include "tools/bridge/permissions.h"

namespace snapgen::tools::bridge {
namespace {

constexpr int missed_pings_max = 2;
constexpr int invalid_messages_max = 100;  // Number of invalid messages after which a connection is closed.
constexpr std::size_t command_names = 8;

std::string_view protocol_version() { return tools::text(BridgeProtocolVersion::v1_0_0); }

std::string major_of(std::string_view version) { return std::string(version.substr(0, version.find('.'))); }

// Returns the message, or what is wrong with it, for the browser.
Result<BridgeBrowserMessage> parse(std::string_view text) {
  if (!json::valid_utf8(text)) return Error(ErrorCode::invalid_argument, "It is not UTF-8.");
  json::Reader in(text);
  BridgeBrowserMessage message;
  read_bridge_browser_message(in, message);
  in.end();
  if (in.ok()) return message;
  if (!in.syntax_ok()) return Error(ErrorCode::invalid_argument, "It is not JSON.");
  const json::Violation first = in.violations().front();
  return Error(ErrorCode::invalid_argument,
               (first.pointer.empty() ? "" : first.pointer + ": ") + first.message + ".");
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
  Result<BridgeBrowserMessage> message = parse(text);
  if (message) {
    if (const BridgeConnect* first = std::get_if<BridgeConnect>(&*message))
      return connect(connection, *first);
    if (const BridgeReconnect* first = std::get_if<BridgeReconnect>(&*message))
      return reconnect(connection, *first);
  }
  BridgeRefusal refusal = refusal_of(core::PairingRefusal::invalid_token);
  refusal.message = "The first message must be a valid connect or reconnect.";
  if (!message) refusal.message += " " + message.error().message;
  refuse(connection, std::move(refusal));
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
  Result<BridgeBrowserMessage> message = parse(text);
  if (!message) {
    if (++connection.invalid_messages == invalid_messages_max)
      connection.end(
          Error(ErrorCode::permission_denied, std::to_string(invalid_messages_max) +
                                                  " messages of this connection did not match the protocol. "
                                                  "Update the extension, then connect again."));
    return;
  }
  if (BridgeResponse* response = std::get_if<BridgeResponse>(&*message)) {
    take_response(*session, std::move(*response));
  } else if (BridgeEvent* event = std::get_if<BridgeEvent>(&*message)) {
    take_event(*session, std::move(*event));
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
  } else if (const BridgeDisconnect* disconnecting = std::get_if<BridgeDisconnect>(&*message)) {
    disconnect(connection, *disconnecting);
  }
}

void Hub::receive_oversize(BrowserConnection& connection, std::uint64_t bytes) {
  if (!connection.session) return;
  for (PendingCommand* each : std::exchange(connection.session->pending_commands, {})) {
    each->session = nullptr;
    each->answer_bytes = bytes;
    each->finish(PendingCommand::End::oversize);
  }
}

void Hub::take_response(Session& session, BridgeResponse response) {
  const std::string& id =
      std::visit([](const auto& each) -> const std::string& { return each.message_id; }, response);
  const auto found = std::ranges::find(session.pending_commands, id, &PendingCommand::id);
  // The call has ended, or already has its answer.
  if (found == session.pending_commands.end() || (*found)->end != PendingCommand::End::none) return;
  (*found)->response = std::move(response);
  (*found)->answered_ms = core::steady_ms();
  (*found)->finish(PendingCommand::End::answered);
}

void Hub::take_event(Session& session, BridgeEvent event) {
  const bool fits = !event.payload ||
                    event.payload->text.size() <= static_cast<std::size_t>(options_.limits.max_event_bytes);
  if (!fits || !session.event_bucket.take(1, options_.clock()).ok) return events_.count_dropped();
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
  log_.write(Severity::info, "The connection of the bridge's session " + session->id + " ended.");
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
        Error(ErrorCode::unavailable, "The browser did not answer pings. Reload its page to connect again."));
  loop_.port().start(connection, Millis(options_.limits.keep_alive_interval_ms));
  const BridgePing ping{.timestamp = core::iso_time(options_.clock())};
  connection.ping_sent_ms = core::steady_ms();
  connection.is_ping_unanswered = true;
  connection.send(json::to_json(ping));
}

}  // namespace snapgen::tools::bridge
