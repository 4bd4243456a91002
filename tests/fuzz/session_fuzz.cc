// Any bytes to a session of the fixture: the session must run to its end, and every line that it sends must
// be a JSON-RPC message or a batch. The first byte is the number of bytes that arrive at a time.
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/async/loop.h"
#include "runtime/json/reader.h"
#include "runtime/transport/line_channel.h"
#include "tests/fixture/fixture.h"
#include "tests/fuzz/target.h"
#include "tests/transcripts/still_port.h"
#include "tests/transport/memory.h"

namespace snapgen::mcp {
namespace {

void expect_valid_message(json::Reader& in) {
  std::string_view key;
  std::string_view version;
  bool has_id = false;
  bool has_method = false;
  int outcomes = 0;
  FUZZ_EXPECT(in.begin_object());
  while (in.next_key(key)) {
    has_id |= key == "id";
    has_method |= key == "method";
    outcomes += key == "result" || key == "error";
    if (key == "jsonrpc") {
      in.string(version);
    } else {
      in.skip();
    }
  }
  FUZZ_EXPECT(version == "2.0");
  FUZZ_EXPECT(has_id != has_method);
  FUZZ_EXPECT(outcomes == (has_id ? 1 : 0));
}

void expect_messages(std::string_view line) {
  FUZZ_EXPECT(json::valid_utf8(line));
  json::Reader in(line);
  if (in.peek() == json::Kind::array) {
    in.begin_array();
    while (in.next_element()) expect_valid_message(in);
  } else {
    expect_valid_message(in);
  }
  in.end();
  FUZZ_EXPECT(in.ok());
}

// Simulates a day, so that the peer reads everything that the session has written.
Task<Unit> whole_session(Loop& loop, Channel& channel, Server& server) {
  Task<Unit> serving = serve(loop, channel, server);
  Result<Unit> served = co_await std::move(serving);
  FUZZ_EXPECT(served);
  std::stop_token never;
  Result<Unit> slept = co_await Sleep(loop, never, std::chrono::hours(24));
  co_return slept;
}

void run_session(std::string_view bytes, std::size_t bytes_at_a_time) {
  transcripts::StillPort port;
  Loop loop(port);
  Options options;
  options.announced = {.tools = true, .prompts = true, .resources = true};
  options.limits.requests_in_flight_max = 4;
  options.limits.subscriptions_max = 2;
  fixture::Fixture fixture(options, false);
  MemoryPeer::Pace pace;
  pace.arrival = [=] { return MemoryPeer::Step{.bytes = bytes_at_a_time}; };
  MemoryPeer peer(loop, pace);
  LineChannel channel(loop, peer, 4096);
  peer.send(bytes);
  peer.end_sending();
  Result<Unit> ended = loop.run(whole_session(loop, channel, fixture.server()));
  FUZZ_EXPECT(ended);
  const std::string& said = peer.received();
  FUZZ_EXPECT(said.empty() || said.ends_with('\n'));
  std::size_t begin = 0;
  for (std::size_t end; (end = said.find('\n', begin)) != std::string::npos; begin = end + 1)
    expect_messages(std::string_view(said).substr(begin, end - begin));
}

}  // namespace
}  // namespace snapgen::mcp

FUZZ_TARGET(session) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t chunk = data[0];
  snapgen::mcp::run_session(bytes.substr(1), chunk == 0 ? 4096 : chunk);
  return 0;
}
