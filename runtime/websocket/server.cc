#include "runtime/websocket/server.h"

#include <algorithm>
#include <utility>

#include "runtime/base/sentences.h"

namespace snapgen::websocket {
namespace {

constexpr std::string_view plain_text = "Content-Type: text/plain\r\n";
constexpr std::string_view no_place = "There are too many connections.";

}  // namespace

Server::Server(Loop& loop, ServerOptions options, std::vector<Service> services, std::stop_token stop)
    : loop_(loop), options_(std::move(options)), connection_scope_(loop, std::move(stop)) {
  options_.rules.protocols.clear();
  for (Service& service : services) {
    Entry entry{.service = std::move(service), .rules = options_.rules, .connection = options_.connection};
    entry.rules.protocols.clear();
    const Service& own = entry.service;
    if (!own.protocol.empty()) entry.rules.protocols.push_back(own.protocol);
    if (own.origins) entry.rules.origins = *own.origins;
    if (own.connection) entry.connection = *own.connection;
    entries_.push_back(std::move(entry));
  }
  for (const Entry& each : entries_)
    if (!each.service.protocol.empty()) options_.rules.protocols.push_back(each.service.protocol);
}

const Server::Entry* Server::entry_for(const http::RequestHead& head) const {
  const auto find = [this](std::string_view protocol) -> const Entry* {
    const auto named = [&](const Entry& each) { return each.service.protocol == protocol; };
    const auto found = std::ranges::find_if(entries_, named);
    return found == entries_.end() ? nullptr : &*found;
  };
  for (const std::string& each : offered_protocols(head))
    if (const Entry* entry = find(each)) return entry;
  return find({});
}

std::size_t Server::closing_count() const {
  return static_cast<std::size_t>(std::ranges::count_if(connections_, &Connection::is_closing));
}

bool Server::is_full() const {
  if (connection_scope_.size() < options_.connections_max) return false;
  const std::size_t leaving = closing_count();
  return leaving >= options_.closing_connections_max() ||
         connection_scope_.size() - leaving >= options_.connections_max;
}

Connection* Server::connection_to_evict() const {
  if (closing_count() >= options_.closing_connections_max()) return nullptr;
  Connection* chosen = nullptr;
  for (Connection* each : connections_) {
    if (!each->may_be_evicted()) continue;
    if (!each->has_received_message()) return each;
    if (!chosen || each->silent_since() < chosen->silent_since()) chosen = each;
  }
  return chosen;
}

bool Server::is_page_request(const http::RequestHead& head) const {
  return options_.page_handler && !head.upgrades_to("websocket") &&
         is_allowed_host(head.host, options_.rules);
}

std::optional<http::Denial> Server::deny(const http::RequestHead& head) {
  if (is_page_request(head)) return options_.page_handler->deny(head);
  const Entry* entry = entry_for(head);
  HandshakeResponse handshake = handshake_response(head, entry ? entry->rules : options_.rules);
  if (handshake.rejected != RejectedField::none && options_.on_rejected_peer)
    options_.on_rejected_peer(head, handshake.rejected, entry ? entry->service.protocol : std::string_view());
  if (!handshake.is_accepted())
    return http::Denial{
        .status = handshake.status, .fields = std::move(handshake.fields), .body = std::move(handshake.body)};
  if (entry && entry->service.deny)
    if (std::optional<http::Denial> denial = entry->service.deny(head)) return denial;
  if (!is_full() || connection_to_evict()) return std::nullopt;
  return http::Denial{.status = 503, .fields = std::string(plain_text), .body = std::string(no_place)};
}

Task<Unit> Server::handle(http::Connection& connection, std::stop_token stop) {
  if (is_page_request(connection.head())) {
    Task<Unit> answering = options_.page_handler->handle(connection, std::move(stop));
    Result<Unit> answered = co_await std::move(answering);
    co_return answered;
  }
  const Entry* entry = entry_for(connection.head());
  if (connection.is_peer_gone() || !entry) co_return Unit{};
  if (is_full()) {
    Connection* chosen = connection_to_evict();
    if (!chosen) {
      connection.write_response(503, plain_text, no_place);
      co_return Unit{};
    }
    chosen->evict();
  }
  HandshakeResponse handshake = handshake_response(connection.head(), entry->rules);
  http::Connection::Handover handover = connection.hand_over();
  // It is not a part of serve()'s coroutine frame, because the frame lives as long as the connection.
  auto opening = std::make_unique<HandshakeResult>();
  opening->response = "HTTP/1.1 101 Switching Protocols\r\n" + handshake.fields + "\r\n";
  opening->terms = std::move(handshake.terms);
  opening->already_read = std::move(handover.unread_bytes);
  Task<Unit> serving = serve(std::move(handover.stream), std::move(opening), *entry);
  connection_scope_.spawn(std::move(serving));
  co_return Unit{};
}

Task<Unit> Server::serve(std::unique_ptr<Stream> stream, std::unique_ptr<HandshakeResult> opening,
                         const Entry& entry) {
  Connection connection(loop_, *stream, read_buffers_, entry.connection, std::move(*opening));
  opening.reset();
  const auto position = connections_.insert(connections_.end(), &connection);
  const std::stop_token stop = connection_scope_.stop();
  CloseCode code = CloseCode::normal;
  std::string reason;
  {
    Task<Unit> serving = entry.service.serve(connection, stop);
    Result<Unit> served = co_await std::move(serving);
    if (!served && served.error().code == ErrorCode::permission_denied) code = CloseCode::policy_violation;
    if (!served && served.error().code == ErrorCode::unavailable) code = CloseCode::going_away;
    if (code != CloseCode::normal) reason = served.error().message;
  }
  if (stop.stop_requested()) {
    code = CloseCode::going_away;
    reason = shutting_down_sentence;
  }
  Task<Unit> closing = connection.close(code, reason);
  Result<Unit> closed = co_await std::move(closing);
  connections_.erase(position);
  co_return closed;
}

Task<Unit> Server::join() {
  co_await connection_scope_.join();
  co_return Unit{};
}

Task<Unit> serve(Loop& loop, Acceptor& acceptor, Server& server, const http::ServerLimits& limits,
                 std::stop_token stop) {
  Task<Unit> accepting = http::serve(loop, acceptor, server, limits, std::move(stop));
  Result<Unit> accepted = co_await std::move(accepting);
  static_cast<void>(accepted);
  Task<Unit> joining = server.join();
  Result<Unit> joined = co_await std::move(joining);
  co_return joined;
}

}  // namespace snapgen::websocket
