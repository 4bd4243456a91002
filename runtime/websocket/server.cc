#include "runtime/websocket/server.h"

#include <algorithm>
#include <utility>

namespace snapgen::websocket {

Server::Server(Loop& loop, ServerOptions options, std::vector<Service> services, std::stop_token stop)
    : loop_(loop),
      options_(std::move(options)),
      services_(std::move(services)),
      sockets_(loop, std::move(stop)) {
  options_.rules.protocols.clear();
  for (const Service& service : services_)
    if (!service.protocol.empty()) options_.rules.protocols.push_back(service.protocol);
}

std::optional<http::Denial> Server::deny(const http::Head& head) {
  Handshake handshake = shake_hands(head, options_.rules);
  if (!handshake.accepted())
    return http::Denial{
        .status = handshake.status, .fields = std::move(handshake.fields), .body = std::move(handshake.body)};
  if (sockets_.size() < options_.connections) return std::nullopt;
  return http::Denial{
      .status = 503, .fields = "Content-Type: text/plain\r\n", .body = "There are too many connections."};
}

Task<Unit> Server::handle(http::Connection& connection, std::stop_token stop) {
  // What was asked before on this connection is answered first.
  while (connection.unsent() > 0 && !connection.is_gone()) {
    connection.moved().reset();
    Result<Unit> came = co_await connection.moved().wait(stop);
    if (!came) co_return came;
  }
  Handshake handshake = shake_hands(connection.head(), options_.rules);
  const auto speaks = [&](const Service& each) { return each.protocol == handshake.protocol; };
  const auto service = std::ranges::find_if(services_, speaks);
  if (connection.is_gone() || service == services_.end()) co_return Unit{};
  http::Connection::Handover handover = connection.hand_over();
  Opening opening;
  opening.answer = "HTTP/1.1 101 Switching Protocols\r\n" + handshake.fields + "\r\n";
  opening.terms = std::move(handshake.terms);
  opening.already_read = std::move(handover.left_over);
  Task<Unit> serving = serve(std::move(handover.stream), std::move(opening), *service);
  sockets_.spawn(std::move(serving));
  co_return Unit{};
}

Task<Unit> Server::serve(std::unique_ptr<Stream> stream, Opening opening, const Service& service) {
  Connection connection(loop_, *stream, chunks_, options_.connection, std::move(opening));
  connection.flush();
  const std::stop_token stop = sockets_.stop();
  {
    Task<Unit> serving = service.serve(connection, stop);
    Result<Unit> served = co_await std::move(serving);
    static_cast<void>(served);
  }
  const bool stopped = stop.stop_requested();
  const CloseCode code = stopped ? CloseCode::going_away : CloseCode::normal;
  const std::string_view reason = stopped ? "The server stops." : "";
  Task<Unit> closing = connection.close(code, reason);
  Result<Unit> closed = co_await std::move(closing);
  co_return closed;
}

Task<Unit> Server::join() {
  co_await sockets_.join();
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
