// websocket-echo [PORT] [--deflate] [--limit BYTES] [--heartbeat MS]
//
// Echoes every message on 127.0.0.1 and prints its address on standard output. Clients use it to test or
// measure the runtime's WebSocket without MCP.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "runtime/async/loop.h"
#include "runtime/uv/uv_port.h"
#include "runtime/websocket/server.h"

namespace {

using namespace snapgen;

Task<Unit> echo(websocket::Connection& connection, std::stop_token stop) {
  for (;;) {
    websocket::Message message;
    while (connection.next(message)) {
      const bool text = message.kind == websocket::Message::Kind::text;
      connection.send(text ? websocket::Opcode::text : websocket::Opcode::binary, message.payload);
    }
    connection.flush();
    if (connection.unsent_bytes() > (1 << 20)) {
      Task<bool> draining = connection.wait_drained(1 << 19, stop);
      Result<bool> drained = co_await std::move(draining);
      if (!drained || !*drained) break;
    }
    Task<bool> waiting = connection.wait(stop);
    Result<bool> more = co_await std::move(waiting);
    if (!more || !*more) break;
  }
  co_return Unit{};
}

Result<Unit> run(int count, char** values) {
  Address address;
  websocket::ServerOptions options;
  options.connections_max = 100'000;
  options.connection.endpoint.accepts_binary = true;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = values[i];
    const auto value = [&] { return i + 1 < count ? std::strtoul(values[++i], nullptr, 10) : 0; };
    if (word == "--deflate") {
      options.rules.deflate = {.is_enabled = true, .keep_context = true};
    } else if (word == "--limit") {
      options.connection.endpoint.message_bytes_max = value();
    } else if (word == "--heartbeat") {
      options.connection.ping_interval = Millis(value());
    } else {
      address.port = static_cast<std::uint16_t>(std::strtoul(values[i], nullptr, 10));
    }
  }
  std::unique_ptr<UvPort> port = TRY(UvPort::create());
  std::stop_source stop;
  TRY(port->stop_on_signals(stop));
  std::unique_ptr<Acceptor> acceptor = TRY(port->listen(address));
  options.rules.port = acceptor->address().port;
  Loop loop(*port);
  websocket::Server server(loop, options, {{.protocol = "", .serve = echo}}, stop.get_token());
  std::printf("ws://127.0.0.1:%d/\n", acceptor->address().port);
  std::fflush(stdout);
  const http::ServerLimits limits;
  return loop.run(websocket::serve(loop, *acceptor, server, limits, stop.get_token()));
}

}  // namespace

int main(int count, char** values) {
  const Result<Unit> served = run(count, values);
  if (served) return 0;
  std::fprintf(stderr, "websocket-echo: %s\n", served.error().message.c_str());
  return 1;
}
