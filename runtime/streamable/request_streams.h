#pragma once
// RequestStreams: a Channel whose messages come and go on HTTP requests. Each request is a request stream,
// whose Sink hears what is said for it; what belongs to none goes to the sink of request stream 0.
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/async/loop.h"
#include "runtime/transport/channel.h"

namespace snapgen::streamable {

// Where one request stream's messages go. They come in turns of the loop, several before one flush().
class Sink {
 public:
  // `code`: of the JSON-RPC error that it is, or 0. Nothing comes after the last.
  virtual void said(std::string_view message, bool last, int code) = 0;
  // The request gets no answer; nothing comes any more.
  virtual void over() = 0;
  // Time has passed: who waits is shown that the server is there.
  virtual void beat() {}
  // Whoever waits may go, and come back after this while, if it can.
  virtual void detach(Millis) {}

 protected:
  ~Sink() = default;
};

class RequestStreams final : public Channel {
 public:
  explicit RequestStreams(Ready& loop) : arrived_(loop) {}
  RequestStreams(RequestStreams&&) = delete;

  // A request. Its sink hears its answer, or that there is none; until then it stays where it is.
  RequestStream ask(std::string message, Sink& sink);
  // A notification or a response.
  void receive_notification(std::string message);
  // Nobody waits for the answer: the sink hears nothing more, and the work is stopped.
  void lose(RequestStream request_stream);
  // Hears what belongs to no request.
  void set_unasked(Sink& sink) { unasked_ = &sink; }
  // No more messages will come; what is said still reaches its sinks.
  void end();
  // Beats for everyone who waits.
  void beat();
  // Nothing more is said: who still waits for an answer hears that there is none.
  void finish();

  bool next(Frame& frame) override;
  Task<bool> wait(std::stop_token stop) override;
  void send(std::string_view message) override;
  std::string& outgoing() override { return out_; }
  void sent() override;
  void flush() override {}
  std::size_t unsent() const override { return 0; }
  Task<bool> drained(std::size_t, std::stop_token) override { co_return true; }
  void address(const Addressee& addressee) override { addressee_ = addressee; }
  void unanswered(RequestStream request_stream) override;
  void detach(RequestStream request_stream, Millis back_after) override;

 private:
  struct Waiting {
    Frame::Kind kind;
    std::string text;  // With room behind it for parsers that look ahead.
    RequestStream request_stream;
  };

  Event arrived_;
  std::deque<Waiting> waiting_;
  Waiting current_{};
  std::unordered_map<RequestStream, Sink*> sinks_;
  Sink* unasked_ = nullptr;
  RequestStream last_request_stream_ = 0;
  std::string out_;
  Addressee addressee_;
  bool ended_ = false;
};

}  // namespace snapgen::streamable
