#pragma once
// Offload: runs a function on the thread pool and waits for its Result. Use it for work that may block or
// take more than 100 us; a round trip costs about 30 us.
//
//   auto job = [&] { return store.read(path, stop); };
//   Result<Blob> blob = co_await Offload(loop, stop, job);
//
// A stop removes work that is still queued (the result is `cancelled`). Work that has begun runs to its end,
// and the awaiting task waits for it; long work must check the token itself.
#include <coroutine>
#include <exception>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "runtime/async/port.h"
#include "runtime/async/ready_queue.h"
#include "runtime/base/result.h"

namespace snapgen {

template <class F>
class [[nodiscard]] Offload final : Job {
  using Outcome = std::invoke_result_t<F&>;  // `work` returns a Result<T>.

 public:
  static_assert(std::is_trivially_destructible_v<F>,
                "capture by reference: the awaiting frame outlives the work");
  static_assert(std::is_constructible_v<Outcome, Error>, "the work returns a Result");

  Offload(ReadyQueue& loop, std::stop_token stop, F work)
      : loop_(loop), stop_(std::move(stop)), work_(work) {}
  Offload(Offload&&) = delete;

  bool await_ready() const noexcept { return stop_.stop_requested(); }
  void await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    loop_.port().submit(*this);
    if (stop_.stop_possible()) on_stop_.emplace(stop_, Cancel{this});
  }
  Outcome await_resume() {
    if (outcome_) return std::move(*outcome_);
    return cancelled_error();
  }

 private:
  struct Cancel {
    Offload* self;
    void operator()() noexcept { self->loop_.port().cancel(static_cast<Job&>(*self)); }
  };

  void work() override {
    try {
      outcome_.emplace(work_());
    } catch (const std::exception& exception) {
      outcome_.emplace(internal_error(exception.what()));
    } catch (...) {
      outcome_.emplace(internal_error("an exception of unknown type"));
    }
  }
  void on_done(bool) override {
    on_stop_.reset();  // The port has released the job: a later stop must not cancel it.
    loop_.post(waiter_);
  }

  ReadyQueue& loop_;
  std::stop_token stop_;
  F work_;
  std::coroutine_handle<> waiter_;
  std::optional<std::stop_callback<Cancel>> on_stop_;
  std::optional<Outcome> outcome_;
};

}  // namespace snapgen
