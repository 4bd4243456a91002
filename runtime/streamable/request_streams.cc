#include "runtime/streamable/request_streams.h"

#include <utility>

#include "runtime/transport/frame_splitter.h"

namespace snapgen::streamable {

RequestStream RequestStreams::add_request(std::string message, Sink& sink) {
  const RequestStream request_stream = ++last_request_stream_;
  if (has_ended_) {
    sink.on_dropped();
    return request_stream;
  }
  sinks_.emplace(request_stream, &sink);
  waiting_messages_.push_back(
      {.kind = Frame::Kind::message, .text = std::move(message), .request_stream = request_stream});
  arrived_.set();
  return request_stream;
}

void RequestStreams::add_notification(std::string message) {
  if (has_ended_) return;
  waiting_messages_.push_back(
      {.kind = Frame::Kind::message, .text = std::move(message), .request_stream = 0});
  arrived_.set();
}

void RequestStreams::drop_request(RequestStream request_stream) {
  if (sinks_.erase(request_stream) == 0 || has_ended_) return;
  waiting_messages_.push_back({.kind = Frame::Kind::client_gone, .request_stream = request_stream});
  arrived_.set();
}

void RequestStreams::end() {
  has_ended_ = true;
  arrived_.set();
}

void RequestStreams::finish() {
  has_ended_ = true;
  for (const auto& [request_stream, sink] : std::exchange(sinks_, {})) sink->on_dropped();
}

bool RequestStreams::next(Frame& frame) {
  if (waiting_messages_.empty()) {
    current_message_ = {};
    return false;
  }
  current_message_ = std::move(waiting_messages_.front());
  waiting_messages_.pop_front();
  const std::size_t size = current_message_.text.size();
  current_message_.text.resize(size + FrameSplitter::padding);
  frame = {.kind = current_message_.kind,
           .text = std::string_view(current_message_.text).substr(0, size),
           .request_stream = current_message_.request_stream};
  return true;
}

Task<bool> RequestStreams::wait(std::stop_token stop) {
  while (waiting_messages_.empty()) {
    if (has_ended_) co_return false;
    arrived_.reset();
    Result<Unit> done = co_await arrived_.wait(stop);
    if (!done) break;
  }
  co_return !waiting_messages_.empty();
}

void RequestStreams::send(std::string_view message) {
  out_.append(message);
  commit_outgoing();
}

void RequestStreams::commit_outgoing() {
  const Addressee to = std::exchange(addressee_, {});
  Sink* sink = default_sink_;
  if (to.request_stream != 0) {
    const auto found = sinks_.find(to.request_stream);
    sink = found == sinks_.end() ? nullptr : found->second;
    if (sink && to.last) sinks_.erase(found);
  }
  if (sink) sink->on_message(out_, to.last, to.code);
  constexpr std::size_t kept_bytes = 64 << 10;
  out_.clear();
  if (out_.capacity() > kept_bytes) std::string().swap(out_);
}

void RequestStreams::report_unanswered(RequestStream request_stream) {
  const auto found = sinks_.find(request_stream);
  if (found == sinks_.end()) return;
  Sink* sink = found->second;
  sinks_.erase(found);
  sink->on_dropped();
}

void RequestStreams::send_heartbeat() {
  for (const auto& [request_stream, sink] : sinks_) sink->send_heartbeat();
  if (default_sink_) default_sink_->send_heartbeat();
}

void RequestStreams::disconnect_client(RequestStream request_stream, Millis back_after) {
  const auto found = sinks_.find(request_stream);
  if (found != sinks_.end()) found->second->disconnect_client(back_after);
}

}  // namespace snapgen::streamable
