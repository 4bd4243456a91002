#pragma once
// Connection is one HTTP/1.1 connection of a server. It reads a request only after the peer has taken the
// response to the previous one. So responses are in order, and they do not accumulate even if the peer sends
// many requests at once. Responses are written as a whole or in pieces.
//
//   Task<bool> waiting = connection.next_head(stop);
//   Result<bool> more = co_await std::move(waiting);   // false: the connection is over
//   ... connection.head() ...
//   Task<bool> reading = connection.read_body(stop);   // false: no body will arrive
//   ... connection.body() ...
//   connection.answer(200, "Content-Type: text/plain\r\n", "hello");
//
// A peer that is silent or too slow (with a head, a body, or in reading its response) is disconnected after
// the limits below. Reading and writing have separate timers, because a peer may do one and not the other.
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/async/loop.h"
#include "runtime/async/stream.h"
#include "runtime/http/head.h"
#include "runtime/http/request_parser.h"
#include "runtime/transport/byte_queue.h"

namespace snapgen::http {

struct ConnectionLimits {
  RequestLimits request;
  Millis idle_timeout{60'000};       // The limit between a response and the next request.
  Millis head_timeout{10'000};       // The limit to receive a head; also for a new peer's first byte.
  Millis body_step_timeout{10'000};  // The time in which body_step_bytes of a body must arrive.
  std::size_t body_step_bytes = 8 << 10;
  std::size_t uncounted_body_bytes = 64 << 10;  // Free for each body; BodyMemoryBudget has only the rest.
  // The peer must send a byte within this time after connecting, or may be disconnected to make room.
  Millis first_byte_timeout{100};
  Millis input_stall_timeout{500};         // A request is stalled if no byte arrives for this time.
  Millis output_stall_timeout{30'000};     // The peer is disconnected if it reads nothing for this time.
  Millis shutdown_timeout{5'000};          // After a stop, the time to read the remaining output.
  std::size_t unsent_bytes_max = 4 << 20;  // Limit for a response in pieces, not for a whole response.
};

// The memory for bodies that are still arriving, shared by all connections of a server.
struct BodyMemoryBudget {
  std::size_t bytes_max;
  std::size_t bytes = 0;
};

class Connection final : Stream::Listener {
 public:
  Connection(Loop& loop, std::unique_ptr<Stream> stream, const ConnectionLimits& limits,
             BodyMemoryBudget& body_memory);
  Connection(Connection&&) = delete;
  ~Connection();

  // Waits until the peer has read the output, and then for the head of its next request. Returns false if
  // there is none: the peer closed the connection, was silent too long or was rejected, or the server stops.
  Task<bool> next_head(std::stop_token stop);
  // Whether the connection is idle: no byte of the next request has arrived.
  bool is_idle() const { return is_idle_ && input_.empty(); }
  // Whether the peer has sent a complete head before.
  bool has_sent_request() const { return has_sent_request_; }
  // Whether a request has begun but no byte has arrived for the time `input_stall_timeout`. Also true if a
  // new peer has sent nothing for the time `first_byte_timeout`.
  bool is_stalled() const { return is_stalled_; }
  // Whether the response is an event stream that may be closed, as the client can reconnect: see
  // set_idle_stream().
  bool is_idle_stream() const { return idle_stream_; }
  // A handler sets this if its response is an event stream without pending work. When the connection must be
  // closed, activity() is set, and the handler must end the stream.
  void set_idle_stream(bool idle) { idle_stream_ = idle; }
  // Closes an idle or stalled connection, or one with an idle stream, at once, to make room for another.
  void evict();
  bool is_evicted() const { return is_evicted_; }
  const RequestHead& head() const { return parser_->head(); }
  // Reads the request's whole body. Returns false if it will not arrive, after writing a response, if any.
  Task<bool> read_body(std::stop_token stop);
  std::string& body() { return parser_->body(); }
  // Whether the request has arrived completely.
  bool is_request_complete() const { return parser_->stage() == RequestParser::Stage::complete; }

  // Adds fields to every response to the current request.
  void set_response_fields(std::string fields) { fields_ = std::move(fields); }
  // Writes a whole response. `fields` are lines, each with its CR LF. The body of a response to HEAD is
  // dropped, as are pieces.
  void write_response(int status, std::string_view fields, std::string_view body);
  // These write a response in pieces: call begin_response(), then write_piece() any number of times, then
  // end_response().
  void begin_response(int status, std::string_view fields);
  void write_piece(std::string_view bytes);
  void end_response();
  // Whether the connection may carry another request.
  bool is_persistent() const { return is_persistent_ && !output_broken_; }
  void close_after_response() { is_persistent_ = false; }

  void flush();
  // Whether the peer has stopped sending, or no longer reads.
  bool is_peer_gone() const { return input_ended_ || output_broken_; }
  // Returns an event that is set after input or output, when the peer is gone, and by wake_waiter().
  Event& activity() { return activity_; }
  void wake_waiter() { activity_.set(); }
  // Discards all output and sends nothing more.
  void discard_output();

  // Sends the remaining output and closes the connection so that the peer can read the response even if it is
  // still sending. After a stop, the peer has at most `shutdown_timeout` to read it.
  Task<Unit> close_gracefully(std::stop_token stop);

  // Gives up the stream, for a protocol to which the peer upgrades. `unread_bytes` has the bytes after the
  // head. The connection is unusable afterwards.
  struct Handover {
    std::unique_ptr<Stream> stream;
    std::string unread_bytes;
  };
  Handover hand_over();
  bool is_handed_over() const { return !stream_; }

 private:
  template <void (Connection::*too_late)()>
  struct ConnectionTimer final : Alarm {
    explicit ConnectionTimer(Connection& connection) : connection(connection) {}
    void ring() override { (connection.*too_late)(); }
    Connection& connection;
  };

  void on_readable() override;
  void on_writable() override { write(); }
  void write();
  void watch_reading(bool on);
  // The clock calls this when the awaited bytes have not arrived in time.
  void on_late_input();
  void mark_stalled() { is_stalled_ = true; }
  void reset_stall_timer();  // Call it after new input.
  // Waits for more bytes of a request that has begun.
  Task<Unit> wait_for_input(std::stop_token stop);
  void set_input_timer(Millis after);
  void stop_input_timer();
  // Parses the received bytes. Returns false if the parser's stage did not change, because it needs more
  // bytes or rejected the request.
  bool parse_input();
  void refuse(const RequestError& why, std::string_view fields = {});
  void write_status(int status, std::string_view fields);
  bool sends_body() const { return head().method != "HEAD"; }

  static constexpr std::size_t read_ahead_bytes = 64 << 10;

  Loop& loop_;
  std::unique_ptr<Stream> stream_;
  const ConnectionLimits& limits_;
  BodyMemoryBudget& body_memory_;
  std::optional<RequestParser> parser_;
  std::string input_;
  ByteQueue output_;
  std::string fields_;  // Header lines of every response to the request.
  Event activity_;
  ConnectionTimer<&Connection::on_late_input> input_timer_{*this};
  ConnectionTimer<&Connection::discard_output> output_timer_{*this};
  ConnectionTimer<&Connection::mark_stalled> stall_timer_{*this};
  bool input_is_late_ = false;
  bool is_stalled_ = false;
  bool idle_stream_ = false;
  bool is_evicted_ = false;
  bool is_idle_ = false;
  bool has_sent_request_ = false;
  bool watches_input_ = false;
  bool watches_output_ = false;
  bool input_ended_ = false;
  bool output_broken_ = false;
  bool is_persistent_ = true;
  bool has_answered_ = false;
  bool is_chunked_ = false;
};

}  // namespace snapgen::http
