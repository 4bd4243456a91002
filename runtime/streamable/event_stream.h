#pragma once
// EventStream carries the messages of a stateful session on one request stream, to a connection if there is
// one. A single answer is sent as plain JSON; if other messages precede it, the response is an event stream.
// Events are retained for a while, so that a client whose connection broke can resume (Last-Event-ID).
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <string>
#include <string_view>

#include "runtime/http/connection.h"
#include "runtime/streamable/request_streams.h"

namespace snapgen::streamable {

// ReplayBuffer limits the events that all event streams of an endpoint retain for clients that reconnect.
// Abandoned sessions do not end by themselves, so the limit is global and the oldest events are dropped
// first. The buffer must outlive its event streams.
class EventStream;

class ReplayBuffer {
 public:
  // The position of an event among those of all streams; valid until remove().
  using Position = std::list<EventStream*>::iterator;

  explicit ReplayBuffer(std::size_t bytes_max) : bytes_max_(bytes_max) {}
  ReplayBuffer(ReplayBuffer&&) = delete;

  Position add(EventStream& stream, std::size_t bytes);
  void remove(Position position, std::size_t bytes);
  // Lets event streams drop their oldest events until the total is within the limit.
  void trim();

 private:
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  std::list<EventStream*> oldest_first_;  // One entry for each event.
};

class EventStream final : public Sink {
 public:
  // `fields` are lines for the head of every response, each with its CR LF. `number` identifies the event
  // stream in event ids.
  EventStream(RequestStream number, std::string fields, ReplayBuffer& replay_buffer)
      : stream_number_(number), fields_(std::move(fields)), replay_buffer_(replay_buffer) {}
  EventStream(EventStream&&) = delete;
  ~EventStream();

  // Call this if the message is a batch without requests, which is answered with 202.
  void expect_no_answer() { expects_answer_ = false; }

  // Sends the answer to the request of this connection. If `primed`, the first event has an id and no
  // message, so that the client can reconnect before the first message.
  void send_answer_to(http::Connection& connection, bool primed);
  // Sends events to this connection, beginning after `last_seen`.
  void send_events_to(http::Connection& connection, std::uint64_t last_seen);
  // Removes the connection from the stream without ending the response.
  void detach_connection(http::Connection& connection);
  // Ends the current response, although the event stream continues. The client may reconnect for the rest.
  void end_response();

  bool is_over() const { return is_over_; }
  bool is_shown_by(const http::Connection& connection) const { return connection_ == &connection; }
  bool is_connected() const { return connection_ != nullptr; }
  // Returns the total size of the retained events.
  std::size_t retained_bytes() const { return retained_bytes_; }
  std::uint64_t last_sent_event() const { return last_sent_event_; }
  void drop_oldest();

  void on_message(std::string_view message, bool last, int code) override;
  void on_dropped() override;
  void send_heartbeat() override;
  void disconnect_client(Millis back_after) override;

 private:
  struct Event {
    std::uint64_t number;
    std::string text;
    ReplayBuffer::Position position;
  };

  void begin_stream();
  void send_event(const Event& event);
  void retain(std::string_view message);
  void forget_events();

  static constexpr std::size_t retained_bytes_max = 256 << 10;
  static constexpr std::size_t retained_events_max = 256;

  RequestStream stream_number_;
  std::string fields_;
  http::Connection* connection_ = nullptr;
  ReplayBuffer& replay_buffer_;
  bool expects_answer_ = true;
  bool is_streaming_ = false;
  bool has_waited_ = false;  // At least one heartbeat has passed.
  bool is_primed_ = false;
  bool is_resumable_ = false;  // The client knows an event id with which it can reconnect.
  bool is_over_ = false;
  std::uint64_t last_event_ = 0;
  std::uint64_t last_sent_event_ = 0;
  std::deque<Event> events_;
  std::size_t retained_bytes_ = 0;
};

// Header fields of a response that is an event stream.
inline constexpr std::string_view event_stream_fields =
    "Content-Type: text/event-stream\r\nCache-Control: no-cache\r\nX-Accel-Buffering: no\r\n";
inline constexpr std::string_view json_fields = "Content-Type: application/json\r\n";

// A comment in an event stream, which keeps the connection alive.
inline constexpr std::string_view heartbeat_comment = ":\n\n";

// Formats a message as an event of an event stream. Without an `id`, the event has none.
std::string event_text(std::string_view id, std::string_view message);

}  // namespace snapgen::streamable
