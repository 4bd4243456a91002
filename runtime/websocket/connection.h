#pragma once
// Connection is a WebSocket connection on a stream, after the handshake. For an MCP session it is a Channel
// whose messages are texts.
//
//   Connection connection(loop, *stream, chunks, options, opening);
//   Task<Unit> serving = mcp::serve(loop, connection, server, stop);
//   ...
//   co_await connection.close(CloseCode::going_away, "");   // always, and last
//
// Reading: it reads only while a caller waits for messages and not too much output is unread. Otherwise the
// kernel blocks the peer, and no memory is used here. Between messages a connection has no buffer.
//
// Heartbeat: it sends a ping at every interval and measures the round trip (latency()). It gives up a peer
// that for `missed_max` intervals leaves a ping unanswered and is otherwise silent, or reads its output too
// slowly: wait() and drained() then end. Buffers of a burst are freed in the first interval without traffic.
//
// Closing: close() sends the remaining output and a Close, waits for the peer's Close, and for a limited time
// lets the peer disconnect first. If a socket is closed with unread input, the kernel discards what the peer
// has not read, including the Close.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "runtime/async/event.h"
#include "runtime/async/port.h"
#include "runtime/async/ready.h"
#include "runtime/async/stream.h"
#include "runtime/async/task.h"
#include "runtime/transport/channel.h"
#include "runtime/websocket/chunks.h"
#include "runtime/websocket/endpoint.h"

namespace snapgen::websocket {

struct ConnectionOptions {
  EndpointOptions endpoint;
  // Pongs count as output too: above this limit nothing is read.
  std::size_t unsent_bytes_max = std::size_t{1} << 20;
  Millis heartbeat{20'000};  // 0: no pings.
  unsigned missed_max = 2;
  std::size_t bytes_per_second_min = 1024;  // The least rate at which the peer must read.
  Millis closing{2'000};                    // The longest time that close() takes.
};

// The result of the handshake.
struct OpenedConnection {
  std::optional<DeflateTerms> terms;
  std::string answer;        // The response to the handshake if it is still to be sent.
  std::string already_read;  // Bytes that arrived after the handshake's head.
};

class Connection final : public Channel, Stream::Listener {
 public:
  // The stream, chunks and options must outlive the connection.
  Connection(Ready& loop, Stream& stream, Chunks& chunks, const ConnectionOptions& options,
             OpenedConnection opening);
  Connection(Connection&&) = delete;
  ~Connection() override;

  // Returns the next text or binary message. Its payload is valid until the next next() or wait().
  bool next(Message& message);
  bool next(Frame& frame) override;
  Task<bool> wait(std::stop_token stop) override;

  void send(std::string_view text) override { send(Opcode::text, text); }
  void send(Opcode opcode, std::string_view payload) { endpoint_.send(opcode, payload); }
  std::string& outgoing() override { return endpoint_.outgoing(); }
  void sent() override { endpoint_.sent(Opcode::text); }
  void flush() override;
  std::size_t unsent() const override { return endpoint_.out().size(); }
  Task<bool> drained(std::size_t bytes, std::stop_token stop) override;

  void busy(bool now) override { busy_ = now; }
  // Whether the peer has sent a message, and since when the next one is awaited.
  bool has_received_message() const { return has_received_message_; }
  std::chrono::steady_clock::time_point silent_since() const { return silent_since_; }
  // Whether it has ended, or will end without further calls.
  bool is_closing() const { return phase_ != Phase::open || done_reading() || broken_; }
  // Whether it may be closed to make room for another connection: no work is in progress for the peer.
  bool may_be_evicted() const { return !is_closing() && !busy_; }
  // Closes the connection with code 1013 to make room for another one.
  void evict();

  // The round trip of the last ping that was answered.
  std::optional<std::chrono::microseconds> latency() const { return latency_; }
  // The reason for its end: the code of the peer's Close, the peer's protocol error, or `abnormal`.
  CloseCode code() const { return endpoint_.code(); }

  // Closes the connection. Call it last, when no caller waits in wait(). A stop does not shorten it.
  Task<Unit> close(CloseCode code, std::string_view reason);

 private:
  enum class Phase : std::uint8_t { open, closing, lingering };
  struct ConnectionAlarm final : Alarm {
    explicit ConnectionAlarm(Connection& connection) : connection(connection) {}
    void ring() override { connection.tick(); }
    Connection& connection;
  };

  void readable() override;
  void writable() override;
  // Returns whether a message is ready; sends what the endpoint produces on the way.
  bool look();
  void take_pong();
  void feed(std::span<char> bytes);
  void release_message();
  void write();
  void watch_reading(bool on);
  bool done_reading() const { return ended_ || endpoint_.ended(); }
  bool is_backlogged() const { return unsent() > options_.unsent_bytes_max; }
  void tick();
  bool is_alive() const;
  void give_up(CloseCode code, std::string_view reason);
  void abort_connection();

  Stream& stream_;
  Port& port_;
  Chunks& chunks_;
  const ConnectionOptions& options_;
  Endpoint endpoint_;
  std::string early_;    // The bytes after the handshake.
  Chunks::Chunk chunk_;  // The last read, until the endpoint has consumed it.
  Event arrived_;
  Event moved_;  // Set when the peer has read output, or is gone.
  Message message_;
  ConnectionAlarm bell_;
  Phase phase_ = Phase::open;
  bool ready_ = false;    // `message_` is the next message.
  bool waiting_ = false;  // A caller is in wait().
  bool reading_ = false;  // The stream reports when it is readable ...
  bool writing_ = false;  // ... and writable.
  bool ended_ = false;    // No more input will arrive.
  bool broken_ = false;   // The peer does not read any more; output is dropped.

  bool given_up_ = false;
  bool busy_ = false;
  bool has_received_message_ = false;
  bool heard_message_ = false;  // Since silent_since_.
  std::chrono::steady_clock::time_point silent_since_;

  bool ping_open_ = false;
  bool heard_ = false;     // Input since the last tick.
  std::size_t taken_ = 0;  // Output that was sent since the last tick, in bytes.
  unsigned missed_ = 0;
  std::uint64_t ping_ = 0;
  std::chrono::steady_clock::time_point ping_sent_;
  std::optional<std::chrono::microseconds> latency_;
};

}  // namespace snapgen::websocket
