#pragma once
// Sleep: waits for a duration, or until a stop (then the result is `cancelled`).
//
//   Result<Unit> slept = co_await Sleep(loop, stop, duration);
#include <coroutine>
#include <optional>
#include <stop_token>
#include <utility>

#include "runtime/async/port.h"
#include "runtime/async/ready_queue.h"
#include "runtime/base/result.h"

namespace snapgen {

class [[nodiscard]] Sleep final : Alarm {
 public:
  Sleep(ReadyQueue& loop, std::stop_token stop, Millis duration)
      : loop_(loop), stop_(std::move(stop)), duration_(duration) {}
  Sleep(Sleep&&) = delete;

  bool await_ready() const noexcept { return stop_.stop_requested(); }
  void await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    loop_.port().start(*this, duration_);
    if (stop_.stop_possible()) on_stop_.emplace(stop_, Cancel{this});
  }
  Result<Unit> await_resume() {
    if (has_rung_) return Unit{};
    return cancelled_error();
  }

 private:
  struct Cancel {
    Sleep* self;
    void operator()() noexcept {
      if (!self->is_set()) return;  // The alarm rang first, and the waiter is posted.
      self->loop_.port().cancel(static_cast<Alarm&>(*self));
      self->loop_.post(self->waiter_);
    }
  };
  void ring() override {
    has_rung_ = true;
    loop_.post(waiter_);
  }

  ReadyQueue& loop_;
  std::stop_token stop_;
  Millis duration_;
  bool has_rung_ = false;
  std::coroutine_handle<> waiter_;
  std::optional<std::stop_callback<Cancel>> on_stop_;
};

}  // namespace snapgen
