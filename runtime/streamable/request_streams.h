#pragma once
// RequestStreams is a Channel over HTTP requests. Each request is a request stream, and its Sink gets the
// messages for it. Messages without a request go to the sink of request stream 0.
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/async/loop.h"
#include "runtime/transport/channel.h"

namespace snapgen::streamable {

// Sink receives the messages of one request stream.
class Sink {
 public:
  // Receives a message. `code` is the code of a JSON-RPC error, or 0. If `last`, no message follows.
  virtual void on_message(std::string_view message, bool last, int code) = 0;
  // Called if the request gets no answer and no further messages.
  virtual void on_dropped() = 0;
  // Called at every heartbeat, to keep the connection alive.
  virtual void send_heartbeat() {}
  // Ends the response if the client can reconnect, and tells the client to do so after this time.
  virtual void disconnect_client(Millis) {}

 protected:
  ~Sink() = default;
};

class RequestStreams final : public Channel {
 public:
  explicit RequestStreams(ReadyQueue& loop) : arrived_(loop) {}
  RequestStreams(RequestStreams&&) = delete;

  // Adds a request. `sink` must live until it got the answer, or on_dropped() or drop_request() was called.
  RequestStream add_request(std::string message, Sink& sink);
  // Adds a notification or a response.
  void add_notification(std::string message);
  // Ends a request whose client no longer waits. Its sink gets nothing more, and its handler is stopped.
  void drop_request(RequestStream request_stream);
  // Sets the sink for messages that belong to no request.
  void set_default_sink(Sink& sink) { default_sink_ = &sink; }
  // Accepts no more requests. The answers to earlier ones still reach their sinks.
  void end();
  // Calls send_heartbeat() of every sink.
  void send_heartbeat();
  // Ends all request streams that still wait for an answer.
  void finish();

  bool next(Frame& frame) override;
  Task<bool> wait(std::stop_token stop) override;
  void send(std::string_view message) override;
  std::string& outgoing_buffer() override { return out_; }
  void commit_outgoing() override;
  void flush() override {}
  std::size_t unsent_bytes() const override { return 0; }
  Task<bool> wait_drained(std::size_t, std::stop_token) override { co_return true; }
  void set_addressee(const Addressee& addressee) override { addressee_ = addressee; }
  void report_unanswered(RequestStream request_stream) override;
  void disconnect_client(RequestStream request_stream, Millis back_after) override;

 private:
  struct WaitingMessage {
    Frame::Kind kind;
    std::string text;  // Padded, because parsers read ahead.
    RequestStream request_stream;
  };

  Event arrived_;
  std::deque<WaitingMessage> waiting_messages_;
  WaitingMessage current_message_{};
  std::unordered_map<RequestStream, Sink*> sinks_;
  Sink* default_sink_ = nullptr;
  RequestStream last_request_stream_ = 0;
  std::string out_;
  Addressee addressee_;
  bool has_ended_ = false;
};

}  // namespace snapgen::streamable
