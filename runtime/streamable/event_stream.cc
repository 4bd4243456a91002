#include "runtime/streamable/event_stream.h"

#include <utility>

#include "runtime/mcp/rpc.h"

namespace snapgen::streamable {
namespace {

// Returns the HTTP status for a JSON-RPC error: 400 for an invalid message, and 200 for all others.
int status_of(int code) {
  const auto rpc = static_cast<mcp::RpcCode>(code);
  return rpc == mcp::RpcCode::parse_error || rpc == mcp::RpcCode::invalid_request ? 400 : 200;
}

}  // namespace

std::string event_text(std::string_view id, std::string_view message) {
  std::string out;
  if (!id.empty()) out.append("id: ").append(id).append("\n");
  return out.append("data: ").append(message).append("\n\n");
}

EventStream::~EventStream() {
  while (!events_.empty()) drop_oldest();
}

void EventStream::send_answer_to(http::Connection& connection, bool primed) {
  connection_ = &connection;
  is_primed_ = is_resumable_ = primed;
}

void EventStream::send_events_to(http::Connection& connection, std::uint64_t last_seen) {
  connection_ = &connection;
  is_primed_ = false;
  is_resumable_ = true;
  begin_stream();
  for (const Event& event : events_)
    if (event.number > last_seen) send_event(event);
  if (is_over_) end_response();
}

void EventStream::detach_connection(http::Connection& connection) {
  if (connection_ != &connection) return;
  connection_ = nullptr;
  // A client that reconnects gets the rest of the response as an event stream.
  is_streaming_ = true;
}

void EventStream::end_response() {
  if (!connection_) return;
  if (!is_streaming_) begin_stream();
  http::Connection& connection = *std::exchange(connection_, nullptr);
  connection.end_response();
  connection.flush();
  connection.wake_waiter();
}

void EventStream::begin_stream() {
  is_streaming_ = true;
  connection_->begin_response(200, std::string(event_stream_fields) + fields_);
  if (!is_primed_) return;
  const std::string id = std::to_string(stream_number_) + "-" + std::to_string(last_sent_event_);
  connection_->write_piece(event_text(id, {}));
}

void EventStream::send_event(const Event& event) {
  const std::string id = std::to_string(stream_number_) + "-" + std::to_string(event.number);
  connection_->write_piece(event_text(id, event.text));
  last_sent_event_ = event.number;
}

void EventStream::retain(std::string_view message) {
  const ReplayBuffer::Position position = replay_buffer_.add(*this, message.size() + sizeof(Event));
  events_.push_back({.number = ++last_event_, .text = std::string(message), .position = position});
  retained_bytes_ += message.size();
}

void EventStream::drop_oldest() {
  const Event& oldest = events_.front();
  retained_bytes_ -= oldest.text.size();
  replay_buffer_.remove(oldest.position, oldest.text.size() + sizeof(Event));
  events_.pop_front();
}

void EventStream::forget_events() {
  while (!events_.empty() && (events_.size() > retained_events_max || retained_bytes_ > retained_bytes_max))
    drop_oldest();
  replay_buffer_.trim();
}

void EventStream::on_message(std::string_view message, bool last, int code) {
  is_over_ = last;
  if (connection_ && last && !is_streaming_) {
    http::Connection& connection = *std::exchange(connection_, nullptr);
    connection.write_response(status_of(code), std::string(json_fields) + fields_, message);
    connection.flush();
    return connection.wake_waiter();
  }
  retain(message);
  if (connection_) {
    if (!is_streaming_) begin_stream();
    send_event(events_.back());
    connection_->flush();
    if (last) end_response();
  }
  forget_events();
}

void EventStream::on_dropped() {
  is_over_ = true;
  if (connection_ && !expects_answer_ && !is_streaming_) {
    http::Connection& connection = *std::exchange(connection_, nullptr);
    connection.write_response(202, {}, {});
    connection.flush();
    return connection.wake_waiter();
  }
  end_response();
}

void EventStream::send_heartbeat() {
  if (!connection_ || !std::exchange(has_waited_, true)) return;
  if (!is_streaming_) begin_stream();
  connection_->write_piece(heartbeat_comment);
  connection_->flush();
}

void EventStream::disconnect_client(Millis back_after) {
  if (!connection_ || !is_resumable_) return;
  if (!is_streaming_) begin_stream();
  connection_->write_piece("retry: " + std::to_string(back_after.count()) + "\n\n");
  end_response();
}

ReplayBuffer::Position ReplayBuffer::add(EventStream& stream, std::size_t bytes) {
  bytes_ += bytes;
  return oldest_first_.insert(oldest_first_.end(), &stream);
}

void ReplayBuffer::remove(Position position, std::size_t bytes) {
  bytes_ -= bytes;
  oldest_first_.erase(position);
}

void ReplayBuffer::trim() {
  // The oldest of all events is also the oldest of its own stream.
  while (bytes_ > bytes_max_ && !oldest_first_.empty()) oldest_first_.front()->drop_oldest();
}

}  // namespace snapgen::streamable
