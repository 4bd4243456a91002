#pragma once
// Event: something that any number of coroutines can wait for. All calls are made on the loop's thread, so no
// event is lost between a check of a condition and the wait:
//
//   while (queue.empty()) {
//     changed.reset();
//     Result<Unit> came = co_await changed.wait(stop);
//     if (!came) co_return came.error();
//   }
//
// The Event must outlive its waiters.
#include <cassert>
#include <coroutine>
#include <optional>
#include <stop_token>
#include <utility>

#include "runtime/async/ready_queue.h"
#include "runtime/base/result.h"

namespace snapgen {

class Event {
 public:
  explicit Event(ReadyQueue& loop) : loop_(loop) {}
  Event(Event&&) = delete;
  ~Event() { assert(!first_waiter_ && "an event is destroyed after its waiters went on"); }

  bool is_set() const { return is_set_; }
  // Sets the event and resumes its waiters in order of arrival. Later waits return immediately, until
  // reset().
  void set() {
    is_set_ = true;
    while (first_waiter_) {
      Waiter& waiter = *first_waiter_;
      remove(waiter);
      waiter.was_set_ = true;
      loop_.post(waiter.handle_);
    }
  }
  void reset() { is_set_ = false; }

  class [[nodiscard]] Waiter {
   public:
    Waiter(Event& event, std::stop_token stop) : event_(event), stop_(std::move(stop)) {}
    Waiter(Waiter&&) = delete;

    bool await_ready() noexcept {
      was_set_ = event_.is_set_;
      return was_set_ || stop_.stop_requested();
    }
    void await_suspend(std::coroutine_handle<> handle) {
      handle_ = handle;
      event_.append(*this);
      if (stop_.stop_possible()) on_stop_.emplace(stop_, Cancel{this});
    }
    // Returns success if the event was set. Errors: cancelled (a stop was requested first).
    Result<Unit> await_resume() {
      if (was_set_) return Unit{};
      return cancelled_error();
    }

   private:
    friend class Event;
    struct Cancel {
      Waiter* self;
      void operator()() noexcept {
        if (!self->is_waiting_) return;  // The event was set, and the waiter is already posted.
        self->event_.remove(*self);
        self->event_.loop_.post(self->handle_);
      }
    };

    Event& event_;
    std::stop_token stop_;
    bool was_set_ = false;
    bool is_waiting_ = false;
    std::coroutine_handle<> handle_;
    Waiter* previous_ = nullptr;
    Waiter* next_ = nullptr;
    std::optional<std::stop_callback<Cancel>> on_stop_;
  };

  Waiter wait(std::stop_token stop) { return Waiter(*this, std::move(stop)); }

 private:
  void append(Waiter& waiter) {
    waiter.is_waiting_ = true;
    waiter.previous_ = last_waiter_;
    (last_waiter_ ? last_waiter_->next_ : first_waiter_) = &waiter;
    last_waiter_ = &waiter;
  }
  void remove(Waiter& waiter) {
    waiter.is_waiting_ = false;
    (waiter.previous_ ? waiter.previous_->next_ : first_waiter_) = waiter.next_;
    (waiter.next_ ? waiter.next_->previous_ : last_waiter_) = waiter.previous_;
    waiter.previous_ = waiter.next_ = nullptr;
  }

  ReadyQueue& loop_;
  bool is_set_ = false;
  Waiter* first_waiter_ = nullptr;
  Waiter* last_waiter_ = nullptr;
};

}  // namespace snapgen
