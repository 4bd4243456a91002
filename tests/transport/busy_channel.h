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
  std::string& outgoing() override { return inner_.outgoing(); }
  void sent() override { inner_.sent(); }
  void address(const Addressee& to) override { inner_.address(to); }
  void unanswered(RequestStream request_stream) override { inner_.unanswered(request_stream); }
  void detach(RequestStream request_stream, Millis back_after) override {
    inner_.detach(request_stream, back_after);
  }
  void busy(bool now) override { busy_ = now; }
  void flush() override { inner_.flush(); }
  std::size_t unsent() const override { return inner_.unsent(); }
  Task<bool> drained(std::size_t bytes, std::stop_token stop) override {
    return inner_.drained(bytes, std::move(stop));
  }

 private:
  Channel& inner_;
  bool busy_ = false;
};

}  // namespace snapgen
