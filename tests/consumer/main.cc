// consumer-server: a server of somebody else's, on the installed libraries alone.
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
  Result<Stdio> stdio = Stdio::take();
  if (!stdio) return stdio.error();
  Result<std::unique_ptr<UvPort>> port = UvPort::create();
  if (!port) return port.error();
  std::stop_source stop;
  Result<Unit> handling = (*port)->stop_on_signals(stop);
  if (!handling) return handling;
  Result<std::unique_ptr<Stream>> stream = (*port)->open(stdio->in(), stdio->out());
  if (!stream) return stream.error();

  consumer::App app;
  consumer::Tools tools(app);
  mcp::Server::Parts parts;
  parts.info.name = "consumer-server";
  parts.info.version = "1.0.0";
  parts.tools = &tools;
  mcp::Server server(std::move(parts));
  Loop loop(**port);
  LineChannel channel(loop, **stream);
  return loop.run(mcp::serve(loop, channel, server, stop.get_token()));
}

}  // namespace

int main() {
  const Result<Unit> served = serve();
  if (served) return 0;
  std::fprintf(stderr, "consumer-server: %s\n", served.error().message.c_str());
  return 1;
}
