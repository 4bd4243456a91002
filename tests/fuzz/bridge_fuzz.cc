// Any bytes from a browser: before it is connected, and afterwards while commands wait for responses. The hub
// must run to its end, and each of its messages must match its schema. One bit of the first byte decides
// whether a connect message is sent first; the other bits are the number of bytes that arrive at a time.
// TOKEN is replaced by a valid token.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/async/loop.h"
#include "runtime/json/reader.h"
#include "runtime/transport/line_channel.h"
#include "schemas/bridge/server_message.h"
#include "tests/fuzz/target.h"
#include "tests/transcripts/still_port.h"
#include "tests/transport/memory.h"
#include "tools/bridge/hub.h"
#include "tools/bridge/permissions.h"
#include "tools/bridge/serve_browser.h"

namespace snapgen::tools::bridge {
namespace {

constexpr std::string_view placeholder = "TOKEN";

// Each call must end: answered, rejected, timed out or disconnected.
Task<Unit> ask(Hub& hub, const Request& request) {
  const std::stop_token never;
  std::string sent_to;
  Task<Reply> asking = hub.ask(request, sent_to, never);
  Result<Reply> reply = co_await std::move(asking);
  FUZZ_EXPECT(!reply || !reply->session_id.empty());
  co_return Unit{};
}

Task<Unit> everything(Loop& loop, Hub& hub, Channel& channel, const Request& request) {
  TaskScope calls(loop);
  for (int i = 0; i != 3; ++i) {
    Task<Unit> asking = ask(hub, request);
    calls.spawn(std::move(asking));
  }
  const std::stop_token never;
  Task<Unit> serving = serve_browser(hub, channel, never);
  Result<Unit> served = co_await std::move(serving);
  static_cast<void>(served);
  Result<Unit> slept = co_await Sleep(loop, never, std::chrono::hours(24));
  static_cast<void>(slept);
  co_await calls.join();
  FUZZ_EXPECT(hub.status().browsers.empty());
  co_return Unit{};
}

void expect_message(std::string_view line) {
  FUZZ_EXPECT(json::valid_utf8(line));
  json::Reader in(line);
  BridgeServerMessage message;
  read_bridge_server_message(in, message);
  in.end();
  FUZZ_EXPECT(in.ok());
}

void run_hub(std::string_view bytes, bool is_known, std::size_t bytes_at_a_time) {
  transcripts::StillPort port;
  Loop loop(port);
  const Log log("fuzz", Severity::error);
  std::int64_t now = 1'700'000'000'000;
  HubOptions options;
  options.clock = [&now] { return ++now; };
  std::unique_ptr<Hub> hub = *Hub::create(loop, log, std::move(options));
  const core::Pairing pairing = *hub->pair(permission_bit(BridgePermission::read_project));
  std::string input;
  if (is_known) input = R"({"type":"connect","version":"1.0.0","token":")" + pairing.token + "\"}\n";
  for (std::size_t at; (at = bytes.find(placeholder)) != std::string_view::npos;
       bytes.remove_prefix(at + placeholder.size()))
    input.append(bytes.substr(0, at)).append(pairing.token);
  input.append(bytes);

  Request request;
  request.read_payload = [](const json::Raw& payload) -> Result<Unit> {
    FUZZ_EXPECT(!payload.text.empty());
    return Unit{};
  };
  request.command = "read_project";
  request.permissions = permission_bit(BridgePermission::read_project);
  request.timeout_ms = 2000;
  request.render = [](const std::string& id, const std::string&, const std::string&) {
    return R"({"command":"read_project","message_id":")" + id + R"(","payload":{},"type":"command"})";
  };
  MemoryPeer::Pace pace;
  pace.arrival = [=] { return MemoryPeer::Step{.bytes = bytes_at_a_time}; };
  MemoryPeer peer(loop, pace);
  LineChannel channel(loop, peer, 4096);
  peer.send(input);
  peer.end_sending();
  Result<Unit> ended = loop.run(everything(loop, *hub, channel, request));
  FUZZ_EXPECT(ended);
  const std::string& said = peer.received();
  std::size_t begin = 0;
  for (std::size_t end; (end = said.find('\n', begin)) != std::string::npos; begin = end + 1)
    expect_message(std::string_view(said).substr(begin, end - begin));
}

}  // namespace
}  // namespace snapgen::tools::bridge

FUZZ_TARGET(bridge) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t chunk = data[0] >> 1;
  snapgen::tools::bridge::run_hub(bytes.substr(1), (data[0] & 1) != 0, chunk == 0 ? 4096 : chunk);
  return 0;
}
