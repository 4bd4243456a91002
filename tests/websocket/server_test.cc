// Which connections are closed when the maximum is reached and a new one arrives.
#include "runtime/websocket/server.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/sim/sim_acceptor.h"
#include "tests/transcripts/still_loop.h"
#include "tests/transport/memory.h"
#include "tests/websocket/cases.h"
#include "tests/websocket/server_frames.h"

namespace snapgen::websocket {
namespace {

// Echoes each message, and is busy from the message `begin` to the message `end`.
Task<Unit> echo_busily(Connection& connection, std::stop_token stop) {
  for (;;) {
    Message message;
    while (connection.next(message)) {
      if (message.payload == "begin") connection.set_busy(true);
      if (message.payload == "end") connection.set_busy(false);
      connection.send(message.payload);
    }
    connection.flush();
    Result<bool> more = co_await connection.wait(stop);
    if (!more || !*more) break;
  }
  co_return Unit{};
}

class ServerTest : public testing::Test, protected transcripts::StillLoop {
 protected:
  static constexpr std::size_t places = 3;

  ServerTest() {
    Task<Unit> serving = serve(loop, acceptor, server, limits, stop.get_token());
    scope.spawn(std::move(serving));
  }
  ~ServerTest() override {
    stop.request_stop();
    for (const std::shared_ptr<MemoryPeer>& each : peers) each->end_sending();
    Result<Unit> joined = loop.run(join());
    static_cast<void>(joined);
  }

  MemoryPeer& connect(bool takes = true) {
    // For a peer that does not read, the kernel buffers the response to the handshake, but no Close frame.
    peers.push_back(acceptor.connect({.capacity = takes ? MemoryPeer::unlimited : 140}));
    if (!takes) peers.back()->pause_reading();
    peers.back()->send(
        "GET / HTTP/1.1\r\nHost: localhost:8080\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
    pass();
    return *peers.back();
  }
  void say(MemoryPeer& peer, std::string text) {
    peer.send(bytes_of({.opcode = 1, .payload = std::move(text)}));
    pass();
  }
  // Returns the code of the Close frame that the peer received; 0: none.
  static int closed(const MemoryPeer& peer) {
    std::string_view bytes = peer.received();
    const std::size_t head = bytes.find("\r\n\r\n");
    if (head == std::string_view::npos) return 0;
    bytes.remove_prefix(head + 4);
    while (!bytes.empty()) {
      const std::optional<ServerFrame> frame = take_frame(bytes);
      if (!frame) return 0;
      if (frame->opcode == 8) return frame->code();
    }
    return 0;
  }
  static bool open(const MemoryPeer& peer) {
    return peer.received().starts_with("HTTP/1.1 101 ") && closed(peer) == 0 && !peer.has_ended_writing();
  }

  sim::SimAcceptor acceptor{loop};
  http::ServerLimits limits;
  std::stop_source stop;
  Server server{
      loop,
      {.rules = {.port = 8080}, .connection = {.ping_interval = Millis(0)}, .connections_max = places},
      {{.protocol = "", .serve = echo_busily}},
      stop.get_token()};
  TaskScope scope{loop};
  std::vector<std::shared_ptr<MemoryPeer>> peers;

 private:
  Task<Unit> join() {
    co_await scope.join();
    co_return Unit{};
  }
};

TEST_F(ServerTest, ConnectionsWithoutAMessageAreClosedFirst) {
  MemoryPeer& speaker = connect();
  say(speaker, "a");
  MemoryPeer& silent = connect();
  MemoryPeer& later = connect();
  silent.send(bytes_of({.opcode = 10, .payload = "a pong is no message"}));
  pass();
  MemoryPeer& next = connect();
  EXPECT_EQ(closed(silent), 1013);
  EXPECT_TRUE(silent.has_ended_writing());
  EXPECT_TRUE(open(speaker) && open(later) && open(next));
  for (int i = 0; i != 20; ++i) connect();
  EXPECT_TRUE(open(speaker)) << "a connection without a message is closed before one with messages";
  EXPECT_LE(server.connection_count(), places);
}

TEST_F(ServerTest, TheLongestIdleConnectionIsClosed) {
  MemoryPeer& first = connect();
  MemoryPeer& second = connect();
  MemoryPeer& third = connect();
  for (MemoryPeer* each : {&third, &second, &first, &third}) say(*each, "a");
  MemoryPeer& next = connect();
  EXPECT_EQ(closed(second), 1013);
  EXPECT_TRUE(open(first) && open(third) && open(next));
}

TEST_F(ServerTest, BusyConnectionsAreNeverClosedForOthers) {
  MemoryPeer& first = connect();
  MemoryPeer& second = connect();
  MemoryPeer& third = connect();
  for (MemoryPeer* each : {&first, &second, &third}) say(*each, "begin");
  MemoryPeer& refused = connect();
  EXPECT_TRUE(refused.received().starts_with("HTTP/1.1 503 ")) << refused.received();
  say(second, "end");
  MemoryPeer& next = connect();
  EXPECT_EQ(closed(second), 1013);
  EXPECT_TRUE(open(first) && open(third) && open(next));
}

TEST_F(ServerTest, ClosingConnectionsAreLimited) {
  for (int i = 0; i != 20; ++i) connect(false);
  EXPECT_EQ(server.connection_count(), places + 1);
  MemoryPeer& refused = connect();
  EXPECT_TRUE(refused.received().starts_with("HTTP/1.1 503 ")) << refused.received();
  pass(Millis(2000));
  EXPECT_EQ(server.connection_count(), places);
  EXPECT_TRUE(open(connect()));
}

}  // namespace
}  // namespace snapgen::websocket
