// Streamable HTTP under many seeds. Clients of both eras use connections that send and receive bytes at any
// pace, break at any byte, and reconnect. Every response that arrives must be correct and arrive once. A
// legacy client that resumes with Last-Event-ID must receive each event once and in order, whatever
// connection broke before. The server must shut down in order.
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "runtime/json/document.h"
#include "runtime/streamable/endpoint.h"
#include "tests/fixture/fixture.h"
#include "tests/sim/seeds.h"
#include "tests/sim/sim_acceptor.h"
#include "tests/sim/world.h"
#include "tests/streamable/http_world.h"

namespace snapgen::sim::http_session {
namespace {

// Counts of situations over all runs. A simulation in which they never occur proves nothing.
struct Met {
  std::size_t answers = 0;
  std::size_t streams = 0;
  std::size_t broken = 0;
  std::size_t resumed = 0;
  std::size_t stops = 0;
};
Met met;

struct HttpSimulation {
  explicit HttpSimulation(std::uint64_t seed)
      : random(seed ^ 0x5eed), port(seed), loop(port), acceptor(loop), fixture({}, false) {}

  std::string id() { return std::to_string(++last_id); }

  Random random;
  SimPort port;
  Loop loop;
  SimAcceptor acceptor;
  fixture::Fixture fixture;
  std::stop_source stop;  // stops the server; clients then stop, too
  std::size_t last_id = 0;
};

// The part of one response that a connection has received so far.
struct Heard {
  int status = 0;
  std::string head;
  std::string body;
  bool whole = false;
};

// Decodes `bytes` in chunked transfer coding and appends the complete part to `body`. Returns true after the
// last chunk.
bool take_chunks(std::string_view bytes, std::string& body) {
  for (;;) {
    const std::size_t line = bytes.find("\r\n");
    if (line == std::string_view::npos) return false;
    std::size_t size = 0;
    const auto read = std::from_chars(bytes.data(), bytes.data() + line, size, 16);
    EXPECT_EQ(read.ptr, bytes.data() + line) << "not a chunk: " << bytes.substr(0, line);
    bytes.remove_prefix(line + 2);
    body += bytes.substr(0, size);
    if (bytes.size() < size + 2) return false;
    if (size == 0) return true;
    bytes.remove_prefix(size + 2);
  }
}

Heard heard(std::string_view bytes) {
  Heard out;
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return out;
  out.status = streamable::status_of(bytes);
  out.head = bytes.substr(0, end + 2);
  const std::string_view rest = bytes.substr(end + 4);
  const std::string length = streamable::field_of(out.head, "Content-Length");
  if (length.empty()) {
    out.whole = take_chunks(rest, out.body);
  } else {
    out.body = rest.substr(0, std::stoul(length));
    out.whole = out.body.size() == std::stoul(length);
  }
  return out;
}

// Sends one request on a new connection. The client waits for the end of the response, or disconnects before
// it.
Task<Heard> fetch(HttpSimulation& world, std::string request, bool breaks) {
  const std::shared_ptr<MemoryPeer> peer = world.acceptor.connect(seeded_pace(world.random));
  peer->send(request);
  const std::size_t enough = breaks ? world.random.below(600) : MemoryPeer::unlimited;
  std::stop_token over = world.stop.get_token();
  Heard found;
  for (;;) {
    found = heard(peer->received());
    if (found.whole || peer->received().size() >= enough || over.stop_requested()) break;
    peer->received_more().reset();
    Result<Unit> came = co_await peer->received_more().wait(over);
    if (!came) break;
  }
  if (breaks && !found.whole) {
    ++met.broken;
    peer->stop_reading();
  }
  peer->end_sending();
  co_return found;
}

// The events of one call, over any number of connections.
struct Call {
  std::string id;
  std::string expected;      // The text of the expected result.
  std::string last_event;    // The last event id received, with which the client resumes.
  std::uint64_t events = 0;  // The number of events received so far.
  std::size_t answers = 0;
};

void take_message(Call& call, std::string_view text) {
  const json::Document document = json::parse_document(text);
  ASSERT_TRUE(document.ok()) << text;
  const json::Node* id = document.root.find("id");
  if (!id) return;
  ++call.answers;
  ++met.answers;
  EXPECT_TRUE(streamable::has(text, "\"id\":" + call.id + ",")) << text;
  EXPECT_TRUE(streamable::has(text, call.expected)) << text;
}

// Takes the complete events of a stream, without heartbeats and breaks.
void take_events(Call& call, std::string_view body) {
  for (std::size_t end; (end = body.find("\n\n")) != std::string_view::npos; body.remove_prefix(end + 2)) {
    std::string_view event = body.substr(0, end);
    if (event.starts_with(":")) continue;
    if (event.starts_with("id: ")) {
      const std::size_t line = event.find('\n');
      call.last_event = event.substr(4, line - 4);
      const std::uint64_t number = std::stoull(call.last_event.substr(call.last_event.find('-') + 1));
      event.remove_prefix(line + 1);
      if (event == "data: ") continue;  // An event that only provides an id for resuming.
      EXPECT_EQ(number, call.events + 1) << "each event must arrive once, and in order";
      call.events = number;
    }
    ASSERT_TRUE(event.starts_with("data: ")) << event;
    take_message(call, event.substr(6));
  }
}

void take(const HttpSimulation& world, Call& call, const Heard& found) {
  // A server that shuts down may answer with an error.
  if (found.status == 0 || (found.status != 200 && world.stop.stop_requested())) return;
  EXPECT_EQ(found.status, 200) << found.head << found.body;
  if (streamable::has(found.head, "text/event-stream")) {
    ++met.streams;
    take_events(call, found.body);
  } else if (found.whole) {
    take_message(call, found.body);
  }
}

// Returns a tool with arguments, and the expected result.
std::pair<std::string, std::string> some_call(HttpSimulation& world, const std::string& id) {
  if (world.random.one_in(2))
    return {R"("name":"echo","arguments":{"text":"echo )" + id + "\"}", "\"text\":\"echo " + id + "\""};
  return {R"("name":"slow","arguments":{"duration_ms":40,"steps":4})", "\"type\":\"text\""};
}

Task<Unit> call_statelessly(HttpSimulation& world) {
  Call call{.id = world.id()};
  const auto [params, expected] = some_call(world, call.id);
  call.expected = expected;
  const std::string tool = streamable::has(params, "\"echo\"") ? "echo" : "slow";
  const bool breaks = world.random.one_in(3);
  std::string request = streamable::request("POST", streamable::modern_fields("tools/call", tool),
                                            streamable::modern(call.id, "tools/call", "{" + params));
  Task<Heard> fetching = fetch(world, std::move(request), breaks);
  Result<Heard> found = co_await std::move(fetching);
  take(world, call, *found);
  EXPECT_LE(call.answers, 1U);
  EXPECT_TRUE(call.answers == 1 || breaks || world.stop.stop_requested());
  co_return Unit{};
}

Task<Unit> call_in_session(HttpSimulation& world, const std::string& session) {
  Call call{.id = world.id()};
  const auto [params, expected] = some_call(world, call.id);
  call.expected = expected;
  const std::string with_progress = "{" + params + R"(,"_meta":{"progressToken":)" + call.id + "}}";
  std::string request = streamable::request("POST", session, streamable::legacy_call(call.id, with_progress));
  bool breaks = world.random.one_in(2);
  Task<Heard> calling = fetch(world, std::move(request), breaks);
  Result<Heard> found = co_await std::move(calling);
  take(world, call, *found);
  // A client with an event id receives the rest, however often the connection breaks. (A request on a broken
  // connection may be read after one that was sent later, and take the stream from it.)
  constexpr int tries_max = 100;
  for (int tries = 0; tries < tries_max && call.answers == 0; ++tries) {
    if (call.last_event.empty() || world.stop.stop_requested()) break;
    ++met.resumed;
    breaks = world.random.one_in(3);
    request = streamable::request("GET", session + "Last-Event-ID: " + call.last_event + "\r\n");
    Task<Heard> resuming = fetch(world, request, breaks);
    Result<Heard> rest = co_await std::move(resuming);
    take(world, call, *rest);
  }
  EXPECT_LE(call.answers, 1U);
  EXPECT_TRUE(call.answers == 1 || call.last_event.empty() || world.stop.stop_requested());
  co_return Unit{};
}

Task<Unit> browse(HttpSimulation& world) {
  std::string session;
  if (world.random.one_in(2)) {
    std::string request = streamable::request("POST", {}, streamable::initialize);
    Task<Heard> opening = fetch(world, std::move(request), false);
    Result<Heard> opened = co_await std::move(opening);
    session = "MCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: " +
              streamable::field_of(opened->head, "Mcp-Session-Id") + "\r\n";
  }
  const std::size_t calls = world.random.below(6);
  for (std::size_t i = 0; i < calls && !world.stop.stop_requested(); ++i) {
    Task<Unit> calling = session.empty() ? call_statelessly(world) : call_in_session(world, session);
    Result<Unit> called = co_await std::move(calling);
    static_cast<void>(called);
  }
  if (!session.empty() && world.random.one_in(2)) {
    std::string request = streamable::request("DELETE", session);
    Task<Heard> ending = fetch(world, std::move(request), false);
    Result<Heard> ended = co_await std::move(ending);
    EXPECT_TRUE(ended->status == 200 || world.stop.stop_requested());
  }
  co_return Unit{};
}

Task<Unit> stop_soon(HttpSimulation& world) {
  Result<Unit> slept =
      co_await Sleep(world.loop, std::stop_token(), Millis(static_cast<int>(world.random.below(500))));
  static_cast<void>(slept);
  ++met.stops;
  world.stop.request_stop();
  co_return Unit{};
}

Task<Unit> scenario(HttpSimulation& world, streamable::Endpoint& endpoint) {
  TaskScope serving(world.loop);
  TaskScope clients(world.loop);
  const http::ServerLimits limits;
  Task<Unit> server = streamable::serve(world.loop, world.acceptor, endpoint, limits, world.stop.get_token());
  serving.spawn(std::move(server));
  const std::size_t count = world.random.between(1, 4);
  for (std::size_t i = 0; i < count; ++i) {
    Task<Unit> browsing = browse(world);
    clients.spawn(std::move(browsing));
  }
  if (world.random.one_in(5)) {
    Task<Unit> stopping = stop_soon(world);
    clients.spawn(std::move(stopping));
  }
  co_await clients.join();
  world.stop.request_stop();
  co_await serving.join();
  co_return Unit{};
}

void simulate(std::uint64_t seed) {
  HttpSimulation world(seed);
  streamable::EndpointOptions options;
  options.heartbeat_interval = Millis(static_cast<int>(world.random.between(1, 1000)));
  streamable::Endpoint endpoint(world.loop, world.fixture.server(), options);
  Result<Unit> ended = world.loop.run(scenario(world, endpoint));
  EXPECT_TRUE(ended);
}

TEST(HttpSimulation, EveryResponseArrivesOnceHoweverConnectionsBreak) {
  met = Met();
  if (for_each_seed(simulate) < 1000) return;
  EXPECT_GT(met.answers, 0U);
  EXPECT_GT(met.streams, 0U);
  EXPECT_GT(met.broken, 0U);
  EXPECT_GT(met.resumed, 0U);
  EXPECT_GT(met.stops, 0U);
}

}  // namespace
}  // namespace snapgen::sim::http_session
