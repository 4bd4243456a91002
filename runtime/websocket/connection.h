#pragma once
// Connection: a WebSocket connection on a stream, after the handshake; to an MCP session it is a Channel
// whose messages are texts.
//
//   Connection connection(loop, *stream, chunks, options, opening);
//   Task<Unit> serving = mcp::serve(loop, connection, server, stop);
//   ...
//   co_await connection.close(CloseCode::going_away, "");   // always, and last
//
// Reading: only while somebody waits for messages, and not while the peer leaves unread what it was sent; so
// a peer is held up by its own kernel, not by our memory. Between messages a connection holds no buffer.
//
// Heartbeat: a ping at every interval, and its round trip as latency(). A peer that leaves one unanswered,
// and says nothing else, or takes what it was sent too slowly, `missed_max` intervals long, is given up:
// wait() and drained() end. What a burst needed is given back in the first interval without traffic.
//
// The end: close() sends what is unsent and a Close, waits for the peer's, and lets the peer hang up first
// for a while: closing a socket in which bytes are unread would make the kernel throw away what the peer has
// not read, the Close among it.
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
  // Answers to pings gather in what is unsent, too: above this nothing is read.
  std::size_t unsent_bytes_max = std::size_t{1} << 20;
  Millis heartbeat{20'000};  // 0: no pings.
  unsigned missed_max = 2;
  std::size_t bytes_per_second_min = 1024;  // How fast the peer has to take what it was sent.
  Millis closing{2'000};                    // How long close() lasts at most.
};

// How the handshake ended.
struct Opening {
  std::optional<DeflateTerms> terms;
  std::string answer;        // To the handshake, if it is still to be sent.
  std::string already_read;  // What came behind the handshake's head.
};

class Connection final : public Channel, Stream::Listener {
 public:
  // Stream, chunks and options outlive the connection.
  Connection(Ready& loop, Stream& stream, Chunks& chunks, const ConnectionOptions& options, Opening opening);
  Connection(Connection&&) = delete;
  ~Connection() override;

  // The next text or binary message; its payload is valid until the next next() or wait().
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
  // Whether the peer ever sent a message, and since when the next one is awaited.
  bool has_spoken() const { return spoken_; }
  std::chrono::steady_clock::time_point silent_since() const { return silent_since_; }
  // It is over, or will be without anybody's doing.
  bool is_leaving() const { return phase_ != Phase::open || done_reading() || broken_; }
  // Whether its place may be given to another: nothing is done for the peer.
  bool may_give_way() const { return !is_leaving() && !busy_; }
  // Tells the peer that others need its place, and ends.
  void give_way();

  // Of the last ping that was answered.
  std::optional<std::chrono::microseconds> latency() const { return latency_; }
  // Why it ended: what the peer's Close said, what the peer did wrong, or `abnormal`.
  CloseCode code() const { return endpoint_.code(); }

  // The end, whoever asks for it. Nobody waits any more when this is called. A stop does not make it end
  // sooner.
  Task<Unit> close(CloseCode code, std::string_view reason);

 private:
  enum class Phase : std::uint8_t { open, closing, lingering };
  struct Bell final : Alarm {
    explicit Bell(Connection& connection) : connection(connection) {}
    void ring() override { connection.tick(); }
    Connection& connection;
  };

  void readable() override;
  void writable() override;
  // Whether a message is ready; what the endpoint says on the way is sent.
  bool look();
  void take_pong();
  void feed(std::span<char> bytes);
  void let_go_of_message();
  void write();
  void watch_reading(bool on);
  bool done_reading() const { return ended_ || endpoint_.ended(); }
  bool crowded() const { return unsent() > options_.unsent_bytes_max; }
  void tick();
  bool is_alive() const;
  void give_up(CloseCode code, std::string_view reason);
  void break_off();

  Stream& stream_;
  Port& port_;
  Chunks& chunks_;
  const ConnectionOptions& options_;
  Endpoint endpoint_;
  std::string early_;    // What came behind the handshake, and then
  Chunks::Chunk chunk_;  // what was read last, until the endpoint has taken it.
  Event arrived_;
  Event moved_;  // The peer took something, or is gone.
  Message message_;
  Bell bell_;
  Phase phase_ = Phase::open;
  bool ready_ = false;    // `message_` is the next message.
  bool waiting_ = false;  // Somebody is in wait().
  bool reading_ = false;  // The stream tells us when it is readable ...
  bool writing_ = false;  // ... and writable.
  bool ended_ = false;    // Nothing more will come.
  bool broken_ = false;   // Nobody reads what we send: it is dropped.

  bool given_up_ = false;
  bool busy_ = false;
  bool spoken_ = false;
  bool heard_message_ = false;  // Since silent_since_.
  std::chrono::steady_clock::time_point silent_since_;

  bool ping_open_ = false;
  bool heard_ = false;     // Something came since the last tick,
  std::size_t taken_ = 0;  // and so much went.
  unsigned missed_ = 0;
  std::uint64_t ping_ = 0;
  std::chrono::steady_clock::time_point ping_sent_;
  std::optional<std::chrono::microseconds> latency_;
};

}  // namespace snapgen::websocket
