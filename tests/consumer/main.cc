// consumer-server: a server of another project, which uses only the installed libraries.
#include <cstdio>
#include <memory>
#include <stop_token>

#include "app.h"
#include "runtime/async/loop.h"
#include "runtime/mcp/server.h"
#include "runtime/transport/line_channel.h"
#include "runtime/transport/stdio.h"
#include "runtime/uv/uv_port.h"
#include "schemas/tools.h"

namespace {

using namespace snapgen;

Result<Unit> serve() {
  Stdio stdio = TRY(Stdio::take());
  std::unique_ptr<UvPort> port = TRY(UvPort::create());
  std::stop_source stop;
  TRY(port->stop_on_signals(stop));
  std::unique_ptr<Stream> stream = TRY(port->open(stdio.in(), stdio.out()));

  consumer::App app;
  consumer::Tools tools(app);
  mcp::Server::Parts parts;
  parts.info.name = "consumer-server";
  parts.info.version = "1.0.0";
  parts.tools = &tools;
  mcp::Server server(std::move(parts));
  Loop loop(*port);
  LineChannel channel(loop, *stream);
  return loop.run(mcp::serve(loop, channel, server, stop.get_token()));
}

}  // namespace

int main() {
  const Result<Unit> served = serve();
  if (served) return 0;
  std::fprintf(stderr, "consumer-server: %s\n", served.error().message.c_str());
  return 1;
}
