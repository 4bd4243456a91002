#pragma once
// WaitReadable: waits until a descriptor is readable, or for a stop (then the result is `cancelled`).
//
//   Result<Unit> came = co_await WaitReadable(loop, stop, fd);
//
// The descriptor must remain open during the wait, and only one coroutine may wait for it. Errors:
// unavailable (the descriptor cannot be polled).
#include <coroutine>
#include <optional>
#include <stop_token>
#include <utility>

#include "runtime/async/port.h"
#include "runtime/async/ready_queue.h"
#include "runtime/base/result.h"

namespace snapgen {

class [[nodiscard]] WaitReadable final : DescriptorWait {
 public:
  WaitReadable(ReadyQueue& loop, std::stop_token stop, int fd)
      : loop_(loop), stop_(std::move(stop)), fd_(fd) {}
  WaitReadable(WaitReadable&&) = delete;

  bool await_ready() const noexcept { return stop_.stop_requested(); }
  bool await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    Result<Unit> watched = loop_.port().watch(*this, fd_);
    if (!watched) watch_error_ = std::move(watched).error();
    if (watch_error_) return false;
    is_waiting_ = true;
    if (stop_.stop_possible()) on_stop_.emplace(stop_, Cancel{this});
    return true;
  }
  Result<Unit> await_resume() {
    if (is_readable_) return Unit{};
    if (watch_error_) return *std::move(watch_error_);
    return cancelled_error();
  }

 private:
  struct Cancel {
    WaitReadable* self;
    void operator()() noexcept {
      // The descriptor was readable first; the waiter is posted.
      if (!std::exchange(self->is_waiting_, false)) return;
      self->loop_.port().unwatch(static_cast<DescriptorWait&>(*self));
      self->loop_.post(self->waiter_);
    }
  };
  void on_readable() override {
    is_readable_ = true;
    is_waiting_ = false;
    loop_.post(waiter_);
  }

  ReadyQueue& loop_;
  std::stop_token stop_;
  int fd_;
  bool is_waiting_ = false;
  bool is_readable_ = false;
  std::optional<Error> watch_error_;
  std::coroutine_handle<> waiter_;
  std::optional<std::stop_callback<Cancel>> on_stop_;
};

}  // namespace snapgen
