// The time and memory that a server uses for a peer that reads slowly or not at all, but continues to send.
#include "runtime/http/connection.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "runtime/async/loop.h"
#include "runtime/async/scope.h"
#include "runtime/http/server.h"
#include "tests/sim/sim_acceptor.h"
#include "tests/transcripts/still_loop.h"
#include "tests/transport/memory.h"

namespace snapgen::http {
namespace {

// Responds to each request with `answer_bytes` bytes; to requests for /denied before their bodies are read.
class Answering final : public Handler {
 public:
  std::optional<Denial> deny(const RequestHead& head) override {
    ++requests;
    if (head.path() != "/denied") return std::nullopt;
    return Denial{.status = 401, .fields = {}, .body = std::string(answer_bytes, 'd')};
  }
  Task<Unit> handle(Connection& connection, std::stop_token stop) override {
    const std::string_view path = connection.head().path();
    if (path == "/resting" || path == "/working") {
      connection.begin_response(200, {});
      connection.flush();
      connection.set_idle_stream(path == "/resting");
      while (!connection.is_peer_gone() && !connection.is_evicted() && !stop.stop_requested()) {
        connection.activity().reset();
        Result<Unit> came = co_await connection.activity().wait(stop);
        static_cast<void>(came);
      }
    } else if (path != "/pieces") {
      connection.write_response(200, {}, std::string(answer_bytes, 'a'));
    } else {
      connection.begin_response(200, {});
      connection.write_piece(std::string(answer_bytes, 'p'));
      connection.end_response();
    }
    co_return Unit{};
  }

  std::size_t answer_bytes = 100;
  std::size_t requests = 0;
};

class ConnectionTest : public testing::Test, protected transcripts::StillLoop {
 protected:
  // The bytes that the kernel buffers for a peer that does not read.
  static constexpr std::size_t capacity = 1000;
  static constexpr std::size_t many = 5000;

  // Starts the server with the limits set so far.
  void begin() {
    Task<Unit> serving = serve(loop, acceptor, handler, limits, stop.get_token());
    scope.spawn(std::move(serving));
    begun = true;
  }
  ~ConnectionTest() override {
    stop.request_stop();
    Result<Unit> joined = loop.run(join());
    static_cast<void>(joined);
  }

  std::shared_ptr<MemoryPeer> connect(MemoryPeer::Pace pace = {.capacity = capacity}) {
    if (!begun) begin();
    return acceptor.connect(std::move(pace));
  }

  sim::SimAcceptor acceptor{loop};
  Answering handler;
  ServerLimits limits;
  std::stop_source stop;
  TaskScope scope{loop};
  bool begun = false;

 private:
  Task<Unit> join() {
    co_await scope.join();
    co_return Unit{};
  }
};

std::string get(std::string_view path, std::string_view fields = {}) {
  return std::string("GET ").append(path).append(" HTTP/1.1\r\nHost: x\r\n").append(fields).append("\r\n");
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST_F(ConnectionTest, TheNextRequestIsReadAfterTheResponseWasTaken) {
  for (const std::string_view path : {"/denied", "/", "/pieces"}) {
    handler.requests = 0;
    const std::shared_ptr<MemoryPeer> peer = connect();
    peer->pause_reading();
    peer->send(repeated(get(path), many));
    pass();
    // The responses that the kernel buffers, and one more that is not sent yet.
    EXPECT_LT(handler.requests, capacity / handler.answer_bytes + 2) << path;
    EXPECT_GT(peer->unread(), 0U) << path;
    peer->resume_reading();
    pass();
    EXPECT_EQ(handler.requests, many) << path;
    EXPECT_EQ(count(peer->received(), "HTTP/1.1 "), many) << path;
    EXPECT_FALSE(peer->has_ended_writing()) << path;
  }
}

TEST_F(ConnectionTest, APeerThatSendsWithoutReadingIsDropped) {
  MemoryPeer::Pace pace{.capacity = capacity};
  pace.arrival = [] { return MemoryPeer::Step{.bytes = 10, .delay = Millis(1000)}; };
  const std::shared_ptr<MemoryPeer> peer = connect(pace);
  peer->pause_reading();
  handler.answer_bytes = 2 * capacity;
  peer->send(repeated(get("/"), many));
  pass(Millis(20'000));
  EXPECT_FALSE(peer->has_ended_writing());
  pass(Millis(20'000));
  EXPECT_TRUE(peer->has_ended_writing());
}

TEST_F(ConnectionTest, APeerThatDoesNotReadAfterTheLastResponseIsDropped) {
  const std::shared_ptr<MemoryPeer> peer = connect();
  peer->pause_reading();
  peer->send(repeated(get("/"), 20) + get("/", "Connection: close\r\n"));
  pass(Millis(limits.connection.output_stall_timeout));
  EXPECT_TRUE(peer->has_ended_writing());

  // The peer reads half of the last response.
  handler.answer_bytes = 2 * capacity;
  const std::shared_ptr<MemoryPeer> last = connect();
  last->pause_reading();
  last->send(get("/", "Connection: close\r\n"));
  pass();
  EXPECT_FALSE(last->has_ended_writing());
  pass(Millis(limits.connection.output_stall_timeout));
  EXPECT_TRUE(last->has_ended_writing());
}

TEST_F(ConnectionTest, ReadingResponsesDoesNotExtendTheHeaderTimeout) {
  const std::shared_ptr<MemoryPeer> peer = connect();
  peer->pause_reading();
  peer->send(repeated(get("/"), 20) + "GET / HTT");
  pass(Millis(5000));
  peer->resume_reading();
  pass();
  EXPECT_EQ(count(peer->received(), "HTTP/1.1 200"), 20U);
  EXPECT_FALSE(peer->has_ended_writing());
  pass(Millis(limits.connection.head_timeout));
  EXPECT_EQ(count(peer->received(), "HTTP/1.1 408"), 1U);
  EXPECT_TRUE(peer->has_ended_writing());
}

TEST_F(ConnectionTest, AStopShortensAllTimeouts) {
  handler.answer_bytes = 10 * capacity;
  const std::shared_ptr<MemoryPeer> silent = connect();
  silent->pause_reading();
  silent->send(get("/", "Connection: close\r\n"));
  MemoryPeer::Pace slow{.capacity = capacity};
  slow.reading = [] { return MemoryPeer::Step{.bytes = 1, .delay = Millis(1000)}; };
  const std::shared_ptr<MemoryPeer> trickling = connect(slow);
  trickling->send(get("/"));
  const std::shared_ptr<MemoryPeer> brisk = connect();
  brisk->pause_reading();
  brisk->send(repeated(get("/"), many));
  pass();
  handler.requests = 0;
  stop.request_stop();
  pass();
  EXPECT_FALSE(brisk->has_ended_writing());
  brisk->resume_reading();
  pass();
  EXPECT_EQ(count(brisk->received(), "HTTP/1.1 200"), 1U);
  EXPECT_TRUE(brisk->received().ends_with(std::string(handler.answer_bytes, 'a')));
  EXPECT_TRUE(brisk->has_ended_writing());
  EXPECT_FALSE(silent->has_ended_writing());
  pass(limits.connection.shutdown_timeout);
  EXPECT_TRUE(silent->has_ended_writing());
  EXPECT_TRUE(trickling->has_ended_writing());
  EXPECT_EQ(handler.requests, 0U) << "requests that were not read before the stop are not handled";
}

TEST_F(ConnectionTest, ANewConnectionMustSendARequestSoon) {
  const std::shared_ptr<MemoryPeer> silent = connect();
  const std::shared_ptr<MemoryPeer> asking = connect();
  asking->send(get("/"));
  pass(limits.connection.head_timeout);
  EXPECT_TRUE(silent->has_ended_writing());
  EXPECT_EQ(silent->received(), "");
  EXPECT_FALSE(asking->has_ended_writing());
  pass(limits.connection.idle_timeout);
  EXPECT_TRUE(asking->has_ended_writing());
}

TEST_F(ConnectionTest, AnIdleConnectionIsClosedForANewOne) {
  limits.connections_max = 3;
  const std::shared_ptr<MemoryPeer> first = connect();
  const std::shared_ptr<MemoryPeer> second = connect();
  first->send(get("/"));
  pass();
  second->send(get("/"));
  pass();
  for (int i = 0; i != 10; ++i) {
    const std::shared_ptr<MemoryPeer> silent = connect();
    pass(limits.connection.first_byte_timeout);
  }
  EXPECT_FALSE(first->has_ended_writing()) << "a connection without a request is closed for a new one";
  const std::shared_ptr<MemoryPeer> begun = connect();
  begun->send("GET / HT");
  pass();
  first->send(get("/"));
  pass();
  const std::shared_ptr<MemoryPeer> next = connect();
  next->send(get("/"));
  pass();
  EXPECT_EQ(count(next->received(), "HTTP/1.1 200"), 1U);
  EXPECT_TRUE(second->has_ended_writing()) << "the connection that was idle for the longest time is closed";
  EXPECT_FALSE(first->has_ended_writing());
  EXPECT_FALSE(begun->has_ended_writing()) << "a request that has begun may still be completed";
}

TEST_F(ConnectionTest, NewConnectionsWaitWhileAllAreBusy) {
  limits.connections_max = 1;
  const std::shared_ptr<MemoryPeer> busy = connect();
  busy->send(get("/").substr(0, 10));
  pass();
  const std::shared_ptr<MemoryPeer> waiting = connect();
  waiting->send(get("/"));
  pass();
  EXPECT_EQ(waiting->received(), "");
  busy->send(get("/").substr(10));
  pass();
  EXPECT_EQ(count(busy->received(), "HTTP/1.1 200"), 1U);
  EXPECT_EQ(count(waiting->received(), "HTTP/1.1 200"), 1U);
  EXPECT_TRUE(busy->has_ended_writing());
}

std::string post(std::size_t bytes) {
  return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(bytes) + "\r\n\r\n";
}

TEST_F(ConnectionTest, AStalledRequestIsClosedForANewConnection) {
  limits.connections_max = 3;
  const Millis between_bytes(400);
  MemoryPeer::Pace pace{.capacity = capacity};
  pace.arrival = [&] { return MemoryPeer::Step{.bytes = 1, .delay = between_bytes}; };
  const std::shared_ptr<MemoryPeer> slow = connect(pace);
  slow->send(post(100) + std::string(100, 'x'));
  pass(between_bytes);
  const std::shared_ptr<MemoryPeer> in_head = connect();
  in_head->send("GET / HT");
  pass();
  const std::shared_ptr<MemoryPeer> in_body = connect();
  in_body->send(post(100) + "x");
  pass();
  const std::shared_ptr<MemoryPeer> first = connect();
  first->send(get("/"));
  pass();
  EXPECT_EQ(first->received(), "") << "every connection may be about to send a request";
  pass(limits.connection.input_stall_timeout + Millis(200));
  EXPECT_EQ(count(first->received(), "HTTP/1.1 200"), 1U);
  EXPECT_TRUE(in_head->has_ended_writing())
      << "the connection that was silent for the longest time is closed";
  EXPECT_FALSE(in_body->has_ended_writing());
  first->send(get("/").substr(0, 10));
  const std::shared_ptr<MemoryPeer> second = connect();
  second->send(get("/"));
  pass(limits.connection.input_stall_timeout + Millis(200));
  EXPECT_EQ(count(second->received(), "HTTP/1.1 200"), 1U);
  EXPECT_TRUE(in_body->has_ended_writing());
  EXPECT_FALSE(slow->has_ended_writing()) << "a request that makes progress is not closed";
}

TEST_F(ConnectionTest, AConnectionWithoutARequestYetIsNotClosedForANewOne) {
  limits.connections_max = 2;
  const std::shared_ptr<MemoryPeer> idle = connect();
  idle->send(get("/"));
  pass();
  const std::shared_ptr<MemoryPeer> fresh = connect();
  const std::shared_ptr<MemoryPeer> next = connect();
  next->send(get("/"));
  pass();
  EXPECT_EQ(count(next->received(), "HTTP/1.1 200"), 1U);
  EXPECT_TRUE(idle->has_ended_writing());
  fresh->send(get("/"));
  pass();
  EXPECT_EQ(count(fresh->received(), "HTTP/1.1 200"), 1U);
}

// The handler for /resting behaves like one with an event stream.
TEST_F(ConnectionTest, APausedResponseIsClosedForANewConnection) {
  limits.connections_max = 2;
  const std::shared_ptr<MemoryPeer> resting = connect();
  resting->send(get("/resting"));
  const std::shared_ptr<MemoryPeer> working = connect();
  working->send(get("/working"));
  pass();
  const std::shared_ptr<MemoryPeer> next = connect();
  next->send(get("/"));
  pass();
  EXPECT_EQ(count(next->received(), "HTTP/1.1 200"), 1U);
  EXPECT_TRUE(resting->has_ended_writing());
  EXPECT_FALSE(working->has_ended_writing());
  next->send(get("/working"));
  const std::shared_ptr<MemoryPeer> last = connect();
  last->send(get("/"));
  pass(limits.connection.idle_timeout);
  EXPECT_EQ(last->received(), "") << "all other connections are busy";
}

TEST_F(ConnectionTest, IncomingBodiesShareABufferLimit) {
  limits.body_memory_bytes_max = 1000;
  limits.connection.uncounted_body_bytes = 100;
  begin();
  const std::shared_ptr<MemoryPeer> large = connect();
  large->send(post(1101) + std::string(1100, 'x'));
  pass();
  EXPECT_EQ(large->received(), "") << "the body fills the shared buffer and the part that is not counted";
  const std::shared_ptr<MemoryPeer> other = connect();
  other->send(post(102) + std::string(101, 'x'));
  pass();
  EXPECT_TRUE(other->received().starts_with("HTTP/1.1 503 ")) << other->received();
  EXPECT_EQ(count(other->received(), "\r\nRetry-After: 10\r\n"), 1U);
  EXPECT_TRUE(other->has_ended_writing());
  const std::shared_ptr<MemoryPeer> small = connect();
  small->send(post(101) + std::string(100, 'x'));
  pass();
  small->send("x");
  pass();
  EXPECT_EQ(count(small->received(), "HTTP/1.1 200"), 1U)
      << "small bodies are accepted while large ones wait";
  large->send("x");
  pass();
  EXPECT_EQ(count(large->received(), "HTTP/1.1 200"), 1U);
  const std::shared_ptr<MemoryPeer> next = connect();
  next->send(post(1101) + std::string(1100, 'x'));
  pass();
  next->end_sending();
  pass();
  const std::shared_ptr<MemoryPeer> last = connect();
  last->send(post(1101) + std::string(1100, 'x'));
  pass();
  last->send("x");
  pass();
  EXPECT_EQ(count(last->received(), "HTTP/1.1 200"), 1U)
      << "a closed connection returns its part of the buffer";
}

TEST_F(ConnectionTest, HeadResponsesHaveNoBody) {
  const std::shared_ptr<MemoryPeer> peer = connect();
  auto heard = [&, seen = std::size_t{0}](std::string_view path) mutable {
    peer->send("HEAD" + get(path).substr(3));
    pass();
    const std::string said = peer->received().substr(seen);
    seen = peer->received().size();
    return said;
  };
  EXPECT_EQ(heard("/"), "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
  EXPECT_EQ(heard("/denied"), "HTTP/1.1 401 Unauthorized\r\nContent-Length: 100\r\n\r\n");
  EXPECT_EQ(heard("/pieces"), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  EXPECT_FALSE(peer->has_ended_writing()) << "the next response directly follows the header of this one";
}

}  // namespace
}  // namespace snapgen::http
