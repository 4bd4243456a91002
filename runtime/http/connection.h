#pragma once
// Connection: one peer that speaks HTTP/1.1. Reads its requests one after the other, each when the peer has
// taken the answer to the one before it, so that answers come in order, and never gather, however the peer
// pipelines; and writes answers, whole or as they come.
//
//   Task<bool> waiting = connection.next_head(stop);
//   Result<bool> more = co_await std::move(waiting);   // false: it is over
//   ... connection.head() ...
//   Task<bool> reading = connection.read_body(stop);   // false: it is over, an answer has been given
//   ... connection.body() ...
//   connection.answer(200, "Content-Type: text/plain\r\n", "hello");
//
// A peer that is slow (with a head, with a body, or in taking what it is sent) or silent is dropped; nothing
// of it waits for it longer than the limits say. What it sends and what it takes have a clock each, for it
// may do the one and not the other.
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
  Millis idle{60'000};                     // Between two requests.
  Millis head{10'000};                     // From a head's first byte to its last, and to the very first.
  Millis body_step{10'000};                // In this time ...
  std::size_t body_step_bytes = 8 << 10;   // ... so much of a body has to come.
  std::size_t body_free_bytes = 64 << 10;  // Of each body, whatever others hold of the server's room.
  Millis fresh{100};                       // From connecting until a peer counts as one that never asked.
  Millis stalled{500};                     // Of a request that has begun, nothing more has come for so long.
  Millis taking{30'000};                   // Without taking anything of what it is sent.
  Millis leaving{5'000};                   // After a stop: to take all that it is still to be sent.
  std::size_t unsent_bytes = 4 << 20;      // Of what is sent as it comes; a whole answer may be larger.
};

// What is held of bodies that are still coming, on all connections of a server together.
struct BodyRoom {
  std::size_t bytes_max;
  std::size_t bytes = 0;
};

class Connection final : Stream::Listener {
 public:
  Connection(Loop& loop, std::unique_ptr<Stream> stream, const ConnectionLimits& limits, BodyRoom& room);
  Connection(Connection&&) = delete;
  ~Connection();

  // Waits until the peer has taken what it was sent, and for its next request. False: none will come (the
  // peer is gone, silent, or was refused; the server stops).
  Task<bool> next_head(std::stop_token stop);
  // Whether nothing has come of a request that is waited for.
  bool is_idle() const { return idle_ && in_.empty(); }
  // Whether the peer ever asked for anything.
  bool has_asked() const { return asked_; }
  // Whether a request, or the rest of it, is waited for, and nothing of it has come for a while. Of a peer
  // that has asked before, the rest alone.
  bool is_stalled() const { return stalled_; }
  // Whether an answer goes on that may be ended, for the peer can come back for the rest: see set_resting().
  bool is_resting() const { return resting_; }
  // By a handler whose answer is an event stream on which nothing is under way. When the connection has to
  // give way, moved() is set, and the handler ends the stream.
  void set_resting(bool resting) { resting_ = resting; }
  // Others need the place of one that is idle, stalled or resting. It ends at once.
  void give_way();
  bool gives_way() const { return gives_way_; }
  const Head& head() const { return parser_->head(); }
  // All of it. False: it won't come, and what there was to say to it has been said.
  Task<bool> read_body(std::stop_token stop);
  std::string& body() { return parser_->body(); }
  // Whether the request's last byte has come.
  bool has_body() const { return parser_->stage() == RequestParser::Stage::complete; }

  // For each answer to this request, beside its own.
  void add_fields(std::string fields) { fields_ = std::move(fields); }
  // One answer to the request. `fields`: lines, each with its CR LF. Who asks with HEAD gets no body of it,
  // nor of what comes in pieces.
  void answer(int status, std::string_view fields, std::string_view body);
  // An answer that comes in pieces, to its end.
  void begin(int status, std::string_view fields);
  void piece(std::string_view bytes);
  void end();
  bool answered() const { return answered_; }
  // Another request may follow.
  bool keep_alive() const { return keep_alive_ && !broken_; }
  void close_afterwards() { keep_alive_ = false; }

  void flush();
  // The peer sends nothing more, or takes nothing more.
  bool is_gone() const { return ended_ || broken_; }
  // Set when the peer is gone, or when somebody calls nudge().
  Event& moved() { return moved_; }
  void nudge() { moved_.set(); }
  // Nothing is sent any more.
  void drop();

  // Sends what is unsent and ends the connection, so that the peer can read the answer even if it is still
  // sending. After a stop the peer has no longer than `leaving` for it.
  Task<Unit> finish(std::stop_token stop);

  // For a protocol that the peer upgraded to: the stream, and what came behind the head. The connection is
  // over.
  struct Handover {
    std::unique_ptr<Stream> stream;
    std::string left_over;
  };
  Handover hand_over();
  bool is_handed_over() const { return !stream_; }

 private:
  template <void (Connection::*too_late)()>
  struct Clock final : Alarm {
    explicit Clock(Connection& connection) : connection(connection) {}
    void ring() override { (connection.*too_late)(); }
    Connection& connection;
  };

  void readable() override;
  void writable() override { write(); }
  void write();
  void watch_reading(bool on);
  // What we wait for has not come in time.
  void is_late();
  void stall() { stalled_ = true; }
  void calm();  // Something has come.
  // Waits for more of a request that has begun.
  Task<Unit> more_comes(std::stop_token stop);
  void set_clock(Millis after);
  void stop_clock();
  // Takes what has come. False: the stage needs more.
  bool feed();
  void refuse(const Refusal& why, std::string_view fields = {});
  void write_status(int status, std::string_view fields);
  bool wants_body() const { return head().method != "HEAD"; }

  static constexpr std::size_t read_ahead_bytes = 64 << 10;

  Loop& loop_;
  std::unique_ptr<Stream> stream_;
  const ConnectionLimits& limits_;
  BodyRoom& room_;
  std::optional<RequestParser> parser_;
  std::string in_;
  ByteQueue out_;
  std::string fields_;  // Of all answers to the request.
  Event moved_;
  Clock<&Connection::is_late> clock_{*this};
  Clock<&Connection::drop> taking_{*this};
  Clock<&Connection::stall> stalling_{*this};
  bool late_ = false;
  bool stalled_ = false;
  bool resting_ = false;
  bool gives_way_ = false;
  bool idle_ = false;
  bool asked_ = false;
  bool reading_ = false;
  bool writing_ = false;
  bool ended_ = false;
  bool broken_ = false;
  bool keep_alive_ = true;
  bool answered_ = false;
  bool chunked_ = false;
};

}  // namespace snapgen::http
