#pragma once
// BusyChannel: a channel that records whether its session is busy.
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/transport/channel.h"

namespace snapgen {

class BusyChannel final : public Channel {
 public:
  explicit BusyChannel(Channel& inner) : inner_(inner) {}

  bool is_busy() const { return busy_; }

  bool next(Frame& frame) override { return inner_.next(frame); }
  Task<bool> wait(std::stop_token stop) override { return inner_.wait(std::move(stop)); }
  void send(std::string_view message) override { inner_.send(message); }
  std::string& outgoing_buffer() override { return inner_.outgoing_buffer(); }
  void commit_outgoing() override { inner_.commit_outgoing(); }
  void set_addressee(const Addressee& to) override { inner_.set_addressee(to); }
  void report_unanswered(RequestStream request_stream) override { inner_.report_unanswered(request_stream); }
  void disconnect_client(RequestStream request_stream, Millis back_after) override {
    inner_.disconnect_client(request_stream, back_after);
  }
  void set_busy(bool now) override { busy_ = now; }
  void flush() override { inner_.flush(); }
  std::size_t unsent_bytes() const override { return inner_.unsent_bytes(); }
  Task<bool> wait_drained(std::size_t bytes, std::stop_token stop) override {
    return inner_.wait_drained(bytes, std::move(stop));
  }

 private:
  Channel& inner_;
  bool busy_ = false;
};

}  // namespace snapgen
