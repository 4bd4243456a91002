#include "runtime/websocket/connection.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/async/loop.h"
#include "tests/sim/sim_port.h"
#include "tests/transport/memory.h"
#include "tests/transport/pace.h"
#include "tests/websocket/cases.h"
#include "tests/websocket/server_frames.h"

namespace snapgen::websocket {
namespace {

using Texts = std::vector<std::string>;

std::string text(std::string payload) { return bytes_of({.opcode = 1, .payload = std::move(payload)}); }
std::string close_frame(int code) {
  return bytes_of({.opcode = 8, .payload = {static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)}});
}

// Returns a word for each frame that the peer received: its payload, `pong:...`, `ping` or `close 1000`.
Texts said(std::string_view bytes) {
  Texts out;
  while (!bytes.empty()) {
    const std::optional<ServerFrame> frame = take_frame(bytes);
    if (!frame) {
      out.emplace_back("<cut>");
      break;
    }
    if (frame->opcode == 8) {
      out.push_back("close " + std::to_string(frame->code()));
    } else if (frame->opcode == 9) {
      out.emplace_back("ping");
    } else if (frame->opcode == 10) {
      out.push_back("pong:" + frame->payload);
    } else {
      out.push_back(frame->payload);
    }
  }
  return out;
}

class ConnectionTest : public testing::Test {
 protected:
  sim::SimPort port{1};
  Loop loop{port};
  ReadBufferPool read_buffers;
  ConnectionOptions options{.ping_interval = Millis(0)};
};

// Echoes every message, and sends a Close at the end.
Task<Unit> echo(Connection& connection, std::stop_token stop) {
  for (;;) {
    Message message;
    while (connection.next(message)) connection.send(message.payload);
    connection.flush();
    Result<bool> more = co_await connection.wait(stop);
    if (!*more) break;
    Result<bool> room = co_await connection.wait_drained(1 << 20, stop);
    if (!*room) break;
  }
  Task<Unit> closing = connection.close(CloseCode::going_away, "The server ends.");
  Result<Unit> closed = co_await std::move(closing);
  co_return closed;
}

// Echoes, and then waits while the peer reads the written bytes.
Task<Unit> echo_until_idle(Loop& loop, Connection& connection, std::stop_token stop) {
  Task<Unit> serving = echo(connection, stop);
  Result<Unit> served = co_await std::move(serving);
  Result<Unit> slept = co_await Sleep(loop, std::stop_token(), Millis(50));
  static_cast<void>(slept);
  co_return served;
}

TEST_F(ConnectionTest, MessagesAreEchoedAtAnyPace) {
  options.close_timeout = std::chrono::hours(1);
  const std::string large(70'000, 'a');
  for (std::size_t step : {1U, 2U, 3U, 7U, 1000U}) {
    MemoryPeer peer(loop, in_steps(step, step, 10));
    Connection connection(loop, peer, read_buffers, options, {});
    peer.send(text("one") + text("") + text(large) + bytes_of({.opcode = 9, .payload = "p"}));
    peer.send(text("last") + close_frame(1000));
    peer.end_sending();
    ASSERT_TRUE(loop.run(echo_until_idle(loop, connection, {})));
    Texts heard = said(peer.received());
    ASSERT_EQ(heard.size(), 6U) << step;
    EXPECT_TRUE(heard[2] == large);
    heard[2].clear();
    EXPECT_EQ(heard, (Texts{"one", "", "", "pong:p", "last", "close 1000"})) << step;
    EXPECT_TRUE(peer.has_ended_writing());
    EXPECT_EQ(connection.close_code(), CloseCode::normal);
  }
}

TEST_F(ConnectionTest, DataThatFollowsTheHandshakeIsReadFirst) {
  MemoryPeer peer(loop);
  const std::string early = text("early") + text("cut");
  Connection connection(loop, peer, read_buffers, options, {.already_read = early.substr(0, 15)});
  peer.send(early.substr(15) + text("later") + close_frame(1000));
  peer.end_sending();
  ASSERT_TRUE(loop.run(echo_until_idle(loop, connection, {})));
  EXPECT_EQ(said(peer.received()), (Texts{"early", "cut", "later", "close 1000"}));
}

TEST_F(ConnectionTest, AProtocolErrorIsReportedInTheCloseFrame) {
  MemoryPeer peer(loop);
  Connection connection(loop, peer, read_buffers, options, {});
  peer.send(text("good") + "\xff\xff\xff\xff" + std::string(1'000'000, 'x'));
  peer.end_sending();
  ASSERT_TRUE(loop.run(echo_until_idle(loop, connection, {})));
  EXPECT_EQ(said(peer.received()), (Texts{"good", "close 1002"}));
  EXPECT_EQ(peer.unread(), 0U) << "if bytes are unread, the kernel discards the close frame";
}

TEST_F(ConnectionTest, AMessageThatIsTooLongIsReportedWithItsSize) {
  MemoryPeer peer(loop);
  Connection connection(loop, peer, read_buffers, options, {});
  peer.send(text("good") + text(std::string(3 << 20, 'x')));
  peer.end_sending();
  const auto sizes_of_frames = [](Connection& channel) -> Task<std::vector<std::uint64_t>> {
    std::vector<std::uint64_t> sizes;
    for (;;) {
      Frame frame;
      while (channel.next(frame))
        sizes.push_back(frame.kind == Frame::Kind::oversize ? frame.bytes : frame.text.size());
      const std::stop_token never;
      Result<bool> more = co_await channel.wait(never);
      if (!more || !*more) co_return sizes;
    }
  };
  const Result<std::vector<std::uint64_t>> sizes = loop.run(sizes_of_frames(connection));
  ASSERT_TRUE(sizes);
  EXPECT_EQ(*sizes, (std::vector<std::uint64_t>{4, 3 << 20}));
  EXPECT_EQ(connection.close_code(), CloseCode::too_big);
}

TEST_F(ConnectionTest, BinaryMessagesAreRejectedUnlessEnabled) {
  MemoryPeer peer(loop);
  Connection connection(loop, peer, read_buffers, options, {});
  peer.send(text("a") + bytes_of({.opcode = 2, .payload = "b"}) + text("c"));
  peer.end_sending();
  ASSERT_TRUE(loop.run(echo_until_idle(loop, connection, {})));
  EXPECT_EQ(said(peer.received()), (Texts{"a", "close 1003"}));
}

TEST_F(ConnectionTest, AStopSendsCloseAndWaitsForTheReply) {
  MemoryPeer peer(loop);
  Connection connection(loop, peer, read_buffers, options, {});
  std::stop_source stop;
  auto body = [](Loop& home, Connection& inner, MemoryPeer& other, std::stop_source& source) -> Task<Unit> {
    TaskScope scope(home);
    scope.spawn(echo(inner, source.get_token()));
    source.request_stop();
    while (other.received().empty()) {
      other.received_more().reset();
      Result<Unit> came = co_await other.received_more().wait(std::stop_token());
      static_cast<void>(came);
    }
    EXPECT_FALSE(other.has_ended_writing());
    other.send(text("too late") + close_frame(1001));
    Result<Unit> slept = co_await Sleep(home, std::stop_token(), Millis(10));
    static_cast<void>(slept);
    EXPECT_TRUE(other.has_ended_writing());
    other.end_sending();
    co_await scope.join();
    co_return Unit{};
  };
  ASSERT_TRUE(loop.run(body(loop, connection, peer, stop)));
  EXPECT_EQ(said(peer.received()), (Texts{"close 1001"}));
  EXPECT_LT(port.now(), options.close_timeout);
}

TEST_F(ConnectionTest, AMissingCloseReplyTimesOut) {
  MemoryPeer peer(loop);
  Connection connection(loop, peer, read_buffers, options, {});
  std::stop_source stop;
  stop.request_stop();
  ASSERT_TRUE(loop.run(echo_until_idle(loop, connection, stop.get_token())));
  EXPECT_EQ(said(peer.received()), (Texts{"close 1001"}));
  EXPECT_GE(port.now(), options.close_timeout);
}

TEST_F(ConnectionTest, ADisconnectEndsTheConnection) {
  MemoryPeer peer(loop);
  Connection connection(loop, peer, read_buffers, options, {});
  peer.send(text("a"));
  peer.stop_reading();
  ASSERT_TRUE(loop.run(echo_until_idle(loop, connection, {})));
  EXPECT_EQ(connection.close_code(), CloseCode::abnormal);
}

TEST_F(ConnectionTest, APeerThatNeverReadsIsDropped) {
  options.ping_interval = Millis(1000);
  options.unsent_bytes_max = 10'000;
  MemoryPeer peer(loop, in_steps(1000, 1000, 500));
  peer.pause_reading();
  Connection connection(loop, peer, read_buffers, options, {});
  std::string pings;
  for (int i = 0; i < 100'000; ++i) pings += bytes_of({.opcode = 9, .payload = "0123456789"});
  peer.send(pings);
  ASSERT_TRUE(loop.run(echo_until_idle(loop, connection, {})));
  EXPECT_GT(peer.unread(), pings.size() / 2)
      << "the server must stop reading, or all pongs would be in memory";
  EXPECT_GE(port.now(), Millis(2000));
  EXPECT_LE(port.now(), Millis(8000));
}

TEST_F(ConnectionTest, APeerThatReadsTooSlowlyIsDropped) {
  options.ping_interval = Millis(10'000);
  MemoryPeer::Pace pace;
  pace.reading = [] { return MemoryPeer::Step{.bytes = 1, .delay = Millis(100)}; };
  pace.capacity = 100;
  MemoryPeer peer(loop, pace);
  Connection connection(loop, peer, read_buffers, options, {});
  peer.send(text(std::string(100'000, 'a')));
  ASSERT_TRUE(loop.run(echo_until_idle(loop, connection, {})));
  EXPECT_LE(port.now(), Millis(60'000));
}

TEST_F(ConnectionTest, ADeadPeerIsPingedAndThenDroppedWithAClose) {
  options.ping_interval = Millis(1000);
  MemoryPeer peer(loop);
  Connection connection(loop, peer, read_buffers, options, {});
  ASSERT_TRUE(loop.run(echo_until_idle(loop, connection, {})));
  EXPECT_EQ(said(peer.received()), (Texts{"ping", "close 1008"}));
}

TEST_F(ConnectionTest, AnsweredPingsAvoidADrop) {
  options.ping_interval = Millis(1000);
  MemoryPeer peer(loop);
  Connection connection(loop, peer, read_buffers, options, {});
  auto body = [](Loop& home, Connection& inner, MemoryPeer& other) -> Task<Unit> {
    TaskScope scope(home);
    scope.spawn(echo(inner, std::stop_token()));
    for (std::size_t answered = 0; answered < 10;) {
      other.received_more().reset();
      Result<Unit> came = co_await other.received_more().wait(std::stop_token());
      static_cast<void>(came);
      std::string_view bytes = other.received();
      for (std::size_t i = 0; i < answered; ++i) static_cast<void>(take_frame(bytes));
      while (const std::optional<ServerFrame> frame = take_frame(bytes)) {
        EXPECT_EQ(frame->opcode, 9);
        other.send(bytes_of({.opcode = 10, .payload = frame->payload}));
        ++answered;
      }
    }
    other.send(close_frame(1000));
    other.end_sending();
    co_await scope.join();
    co_return Unit{};
  };
  ASSERT_TRUE(loop.run(body(loop, connection, peer)));
  EXPECT_EQ(connection.close_code(), CloseCode::normal);
  EXPECT_GE(port.now(), Millis(10'000));
}

TEST_F(ConnectionTest, CompressedMessagesPassBothWays) {
  MemoryPeer peer(loop);
  const DeflatePolicy policy{.is_enabled = true};
  Connection connection(loop, peer, read_buffers, options,
                        {.terms = negotiate_extensions("permessage-deflate", policy).terms});
  const std::string long_text(5000, 'a');
  peer.send(bytes_of({.reserved_bits = 4, .payload = deflated(long_text)}) + text("short") +
            close_frame(1000));
  peer.end_sending();
  ASSERT_TRUE(loop.run(echo_until_idle(loop, connection, {})));
  std::string_view bytes = peer.received();
  const std::optional<ServerFrame> answer = take_frame(bytes);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->compressed);
  EXPECT_LT(answer->payload.size(), 100U);
  EXPECT_EQ(said(bytes), (Texts{"short", "close 1000"}));
}

}  // namespace
}  // namespace snapgen::websocket
