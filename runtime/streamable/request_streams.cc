#include "runtime/streamable/request_streams.h"

#include <utility>

#include "runtime/transport/frame_splitter.h"

namespace snapgen::streamable {

RequestStream RequestStreams::add_request(std::string message, Sink& sink) {
  const RequestStream request_stream = ++last_request_stream_;
  if (ended_) {
    sink.on_dropped();
    return request_stream;
  }
  sinks_.emplace(request_stream, &sink);
  waiting_.push_back(
      {.kind = Frame::Kind::message, .text = std::move(message), .request_stream = request_stream});
  arrived_.set();
  return request_stream;
}

void RequestStreams::add_notification(std::string message) {
  if (ended_) return;
  waiting_.push_back({.kind = Frame::Kind::message, .text = std::move(message), .request_stream = 0});
  arrived_.set();
}

void RequestStreams::drop(RequestStream request_stream) {
  if (sinks_.erase(request_stream) == 0 || ended_) return;
  waiting_.push_back({.kind = Frame::Kind::gone, .text = {}, .request_stream = request_stream});
  arrived_.set();
}

void RequestStreams::end() {
  ended_ = true;
  arrived_.set();
}

void RequestStreams::finish() {
  ended_ = true;
  for (const auto& [request_stream, sink] : std::exchange(sinks_, {})) sink->on_dropped();
}

bool RequestStreams::next(Frame& frame) {
  if (waiting_.empty()) {
    current_ = {};
    return false;
  }
  current_ = std::move(waiting_.front());
  waiting_.pop_front();
  const std::size_t size = current_.text.size();
  current_.text.resize(size + FrameSplitter::padding);
  frame = {.kind = current_.kind,
           .text = std::string_view(current_.text).substr(0, size),
           .request_stream = current_.request_stream};
  return true;
}

Task<bool> RequestStreams::wait(std::stop_token stop) {
  while (waiting_.empty()) {
    if (ended_) co_return false;
    arrived_.reset();
    Result<Unit> came = co_await arrived_.wait(stop);
    if (!came) break;
  }
  co_return !waiting_.empty();
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

void RequestStreams::detach(RequestStream request_stream, Millis back_after) {
  const auto found = sinks_.find(request_stream);
  if (found != sinks_.end()) found->second->detach(back_after);
}

}  // namespace snapgen::streamable
