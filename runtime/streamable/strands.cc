#include "runtime/streamable/strands.h"

#include <utility>

#include "runtime/transport/frames.h"

namespace snapgen::streamable {

Strand Strands::ask(std::string message, Sink& sink) {
  const Strand strand = ++last_strand_;
  if (ended_) {
    sink.over();
    return strand;
  }
  sinks_.emplace(strand, &sink);
  waiting_.push_back({.kind = Frame::Kind::message, .text = std::move(message), .strand = strand});
  arrived_.set();
  return strand;
}

void Strands::receive_notification(std::string message) {
  if (ended_) return;
  waiting_.push_back({.kind = Frame::Kind::message, .text = std::move(message), .strand = 0});
  arrived_.set();
}

void Strands::lose(Strand strand) {
  if (sinks_.erase(strand) == 0 || ended_) return;
  waiting_.push_back({.kind = Frame::Kind::gone, .text = {}, .strand = strand});
  arrived_.set();
}

void Strands::end() {
  ended_ = true;
  arrived_.set();
}

void Strands::finish() {
  ended_ = true;
  for (const auto& [strand, sink] : std::exchange(sinks_, {})) sink->over();
}

bool Strands::next(Frame& frame) {
  if (waiting_.empty()) {
    current_ = {};
    return false;
  }
  current_ = std::move(waiting_.front());
  waiting_.pop_front();
  const std::size_t size = current_.text.size();
  current_.text.resize(size + Frames::padding);
  frame = {.kind = current_.kind,
           .text = std::string_view(current_.text).substr(0, size),
           .strand = current_.strand};
  return true;
}

Task<bool> Strands::wait(std::stop_token stop) {
  while (waiting_.empty()) {
    if (ended_) co_return false;
    arrived_.reset();
    Result<Unit> came = co_await arrived_.wait(stop);
    if (!came) break;
  }
  co_return !waiting_.empty();
}

void Strands::send(std::string_view message) {
  out_.append(message);
  sent();
}

void Strands::sent() {
  const Addressee to = std::exchange(addressee_, {});
  Sink* sink = unasked_;
  if (to.strand != 0) {
    const auto found = sinks_.find(to.strand);
    sink = found == sinks_.end() ? nullptr : found->second;
    if (sink && to.last) sinks_.erase(found);
  }
  if (sink) sink->said(out_, to.last, to.code);
  constexpr std::size_t kept_bytes = 64 << 10;
  out_.clear();
  if (out_.capacity() > kept_bytes) std::string().swap(out_);
}

void Strands::unanswered(Strand strand) {
  const auto found = sinks_.find(strand);
  if (found == sinks_.end()) return;
  Sink* sink = found->second;
  sinks_.erase(found);
  sink->over();
}

void Strands::beat() {
  for (const auto& [strand, sink] : sinks_) sink->beat();
  if (unasked_) unasked_->beat();
}

void Strands::let_go(Strand strand, Millis back_after) {
  const auto found = sinks_.find(strand);
  if (found != sinks_.end()) found->second->let_go(back_after);
}

}  // namespace snapgen::streamable
