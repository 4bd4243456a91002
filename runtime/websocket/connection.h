#pragma once
// Connection is a WebSocket connection on a stream, after the handshake. For an MCP session it is a Channel
// whose messages are texts.
//
//   Connection connection(loop, *stream, chunks, options, opening);
//   Task<Unit> serving = mcp::serve(loop, connection, server, stop);
//   ...
//   co_await connection.close(CloseCode::going_away, "");   // always, and last
//
// Reading: the connection reads only while a caller waits for messages and the peer has read most of the
// output. Otherwise the kernel blocks the peer. Between messages a connection has no buffer.
//
// Heartbeat: it sends a ping at every interval. It gives up a peer that for `missed_pings_max` intervals
// neither answers a ping nor sends anything else, or reads too slowly. Then wait() and wait_drained() end.
// Buffers of a burst are freed in the first interval without traffic.
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
#include "runtime/async/ready_queue.h"
#include "runtime/async/stream.h"
#include "runtime/async/task.h"
#include "runtime/transport/channel.h"
#include "runtime/websocket/endpoint.h"
#include "runtime/websocket/read_buffer_pool.h"

namespace snapgen::websocket {

struct ConnectionOptions {
  EndpointOptions endpoint;
  // The limit of unread output, including pongs. Above it, the connection reads nothing.
  std::size_t unsent_bytes_max = std::size_t{1} << 20;
  Millis ping_interval{20'000};  // The interval of pings; 0 for none.
  unsigned missed_pings_max = 2;
  std::size_t bytes_per_second_min = 1024;  // The least rate at which a peer must read.
  Millis close_timeout{2'000};              // The longest time that close() takes.
};

// The result of a handshake.
struct HandshakeResult {
  std::optional<DeflateParameters> terms;
  std::string response;      // The response, if it must still be sent.
  std::string already_read;  // Bytes that arrived after the request's head.
};

class Connection final : public Channel, Stream::Listener {
 public:
  // The stream, chunks and options must outlive the connection.
  Connection(ReadyQueue& loop, Stream& stream, ReadBufferPool& read_buffers, const ConnectionOptions& options,
             HandshakeResult opening);
  Connection(Connection&&) = delete;
  ~Connection() override;

  // Returns the next text or binary message. Its payload is valid until the next next() or wait().
  bool next(Message& message);
  bool next(Frame& frame) override;
  Task<bool> wait(std::stop_token stop) override;

  void send(std::string_view text) override { send(Opcode::text, text); }
  void send(Opcode opcode, std::string_view payload) { endpoint_.send(opcode, payload); }
  std::string& outgoing_buffer() override { return endpoint_.outgoing_buffer(); }
  void commit_outgoing() override { endpoint_.commit_outgoing(Opcode::text); }
  void flush() override;
  std::size_t unsent_bytes() const override { return endpoint_.out().size(); }
  std::string_view end_reason() const override { return endpoint_.close_reason(); }
  Task<bool> wait_drained(std::size_t bytes, std::stop_token stop) override;

  void set_busy(bool now) override { is_busy_ = now; }
  // These return whether the peer has sent a message, and since when the connection waits for the next one.
  bool has_received_message() const { return has_received_message_; }
  std::chrono::steady_clock::time_point silent_since() const { return silent_since_; }
  // Whether the connection has ended, or will end without further calls.
  bool is_closing() const { return phase_ != Phase::open || has_input_ended() || output_broken_; }
  // Whether the connection may be closed to make room for another: the server has no work for the peer.
  bool may_be_evicted() const { return !is_closing() && !is_busy_; }
  // Closes the connection with code 1013 to make room for another one.
  void evict();

  // Returns why the connection ended: the code of the peer's Close or protocol error, or `abnormal`.
  CloseCode close_code() const { return endpoint_.close_code(); }

  // Closes the connection. Call it last, when no caller waits in wait(). A stop does not shorten the wait for
  // the peer.
  Task<Unit> close(CloseCode code, std::string_view reason);

 private:
  enum class Phase : std::uint8_t { open, closing, lingering };
  struct ConnectionAlarm final : Alarm {
    explicit ConnectionAlarm(Connection& connection) : connection(connection) {}
    void ring() override { connection.tick(); }
    Connection& connection;
  };

  void on_readable() override;
  void on_writable() override;
  // Processes input until a message is ready, and returns whether one is.
  bool find_message();
  void take_pong();
  void feed(std::span<char> bytes);
  void release_message();
  void write();
  void watch_reading(bool on);
  bool has_input_ended() const { return input_ended_ || endpoint_.has_ended(); }
  bool is_backlogged() const { return unsent_bytes() > options_.unsent_bytes_max; }
  void tick();
  bool is_alive() const;
  void give_up(CloseCode code, std::string_view reason);
  void abort_connection();

  Stream& stream_;
  Port& port_;
  ReadBufferPool& read_buffers_;
  const ConnectionOptions& options_;
  Endpoint endpoint_;
  std::string early_bytes_;                 // The bytes that followed the handshake.
  ReadBufferPool::ReadBuffer read_buffer_;  // The bytes of the last read, until they are consumed.
  Event arrived_;
  Event output_progress_;  // Set when the peer has read output, or is gone.
  Message message_;
  ConnectionAlarm heartbeat_alarm_;
  Phase phase_ = Phase::open;
  bool has_message_ = false;     // `message_` is the next message.
  bool is_waiting_ = false;      // A caller is in wait().
  bool watches_input_ = false;   // The stream reports when it is readable.
  bool watches_output_ = false;  // The stream reports when it is writable.
  bool input_ended_ = false;     // No more input will arrive.
  bool output_broken_ = false;   // The peer does not read any more; output is dropped.

  bool has_given_up_ = false;
  bool is_busy_ = false;
  bool has_received_message_ = false;
  bool has_heard_message_ = false;  // A message arrived since silent_since_.
  std::chrono::steady_clock::time_point silent_since_;

  bool ping_open_ = false;
  bool heard_since_tick_ = false;    // Input arrived since the last tick.
  std::size_t sent_since_tick_ = 0;  // Output that was sent since the last tick, in bytes.
  unsigned missed_pings_ = 0;
  std::uint64_t last_ping_ = 0;
};

}  // namespace snapgen::websocket
