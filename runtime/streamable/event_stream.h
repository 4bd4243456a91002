#pragma once
// EventStream: what a stateful session says on one request stream, and the connection that shows it, if there
// is one. An answer that comes alone is plain JSON; as soon as something comes before it, the answer is a
// stream of events. Events are kept for a while, so that a client whose connection broke can go on where it
// was (Last-Event-ID).
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/http/connection.h"
#include "runtime/streamable/replay_buffer.h"
#include "runtime/streamable/request_streams.h"

namespace snapgen::streamable {

class EventStream final : public Sink {
 public:
  // `fields`: lines of every answer's head, each with its CR LF. `number` names the event stream in event
  // ids.
  EventStream(RequestStream number, std::string fields, ReplayBuffer& replay_buffer)
      : number_(number), fields_(std::move(fields)), replay_buffer_(replay_buffer) {}
  EventStream(EventStream&&) = delete;
  ~EventStream();

  // Nothing in the request has an answer; if indeed none comes, that is said (202).
  void expect_no_answer() { expects_answer_ = false; }

  // The answer to this connection's request goes there. `primed`: its first event has an id and no message,
  // so that the client can come back before anything was said.
  void show_answer(http::Connection& connection, bool primed);
  // The connection's request asks for events, those after `last_seen` first.
  void show_events(http::Connection& connection, std::uint64_t last_seen);
  // It shows nothing any more.
  void leave(http::Connection& connection);
  // Ends what is shown, as if the event stream were over; the client may come back for the rest.
  void pause();

  bool is_over() const { return over_; }
  bool is_shown_by(const http::Connection& connection) const { return connection_ == &connection; }
  bool is_shown() const { return connection_ != nullptr; }
  // Of the events that are kept.
  std::size_t kept_bytes() const { return kept_bytes_; }
  std::uint64_t last_shown() const { return last_shown_; }
  void forget_oldest();

  void said(std::string_view message, bool last, int code) override;
  void over() override;
  void beat() override;
  void detach(Millis back_after) override;

 private:
  struct Event {
    std::uint64_t number;
    std::string text;
    ReplayBuffer::Position place;
  };

  void begin_stream();
  void show(const Event& event);
  void keep(std::string_view message);
  void forget_events();

  static constexpr std::size_t kept_bytes_max = 256 << 10;
  static constexpr std::size_t kept_events_max = 256;

  RequestStream number_;
  std::string fields_;
  http::Connection* connection_ = nullptr;
  ReplayBuffer& replay_buffer_;
  bool expects_answer_ = true;
  bool streaming_ = false;
  bool waited_ = false;  // For a whole beat.
  bool primed_ = false;
  bool resumable_ = false;  // Who is shown it knows by which event to come back.
  bool over_ = false;
  std::uint64_t last_event_ = 0;
  std::uint64_t last_shown_ = 0;
  std::deque<Event> events_;
  std::size_t kept_bytes_ = 0;
};

// The head's lines of a stream of events.
inline constexpr std::string_view event_stream_fields =
    "Content-Type: text/event-stream\r\nCache-Control: no-cache\r\nX-Accel-Buffering: no\r\n";
inline constexpr std::string_view json_fields = "Content-Type: application/json\r\n";

// What shows proxies and clients that a stream is alive.
inline constexpr std::string_view beat_text = ":\n\n";

// One event that is a message. `id` empty: it has none.
std::string event_text(std::string_view id, std::string_view message);

}  // namespace snapgen::streamable
