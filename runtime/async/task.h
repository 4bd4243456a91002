#pragma once
// Task<T>: a lazily started coroutine that finishes with a Result<T>.
//
// Rules that make it safe:
//   1. A coroutine frame is destroyed only before it starts or after it ended. Cancelling only requests a
//      stop.
//   2. Awaiting a Task runs it on the same thread at once and yields its Result. Awaiting a Result yields its
//      value, or ends this task with its error.
//   3. Only Loop::run() resumes a coroutine that waited for the outside world.
//
// g++ 12 miscompiles some co_await expressions. So await on a separate line, assign to a named local, and
// pass only named objects as arguments.
#include <cassert>
#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "runtime/base/result.h"

namespace snapgen {

template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (!frame_) return;
    assert((!frame_.promise().started || frame_.promise().result) && "task destroyed while running");
    frame_.destroy();
  }

  // Runs a task that has not started, to its first wait or to its end; returns true if it finished. Only Loop
  // and TaskScope call this.
  bool start() {
    promise_type& promise = frame_.promise();
    assert(!promise.started);
    promise.started = true;
    frame_.resume();
    return promise.result.has_value();
  }
  // Returns the task's result, or null until the task has finished.
  Result<T>* result() {
    promise_type& promise = frame_.promise();
    return promise.result ? &*promise.result : nullptr;
  }

  struct Awaiter {
    Handle frame;
    bool await_ready() const noexcept { return frame.promise().result.has_value(); }
    // Starts the awaited task. If it finishes without waiting, its parent continues without a resume(), so a
    // loop of such awaits does not deepen the stack in any build mode.
    bool await_suspend(std::coroutine_handle<> parent) noexcept {
      promise_type& child = frame.promise();
      if (!child.started) {
        child.started = true;
        frame.resume();
        if (child.result) return false;
      }
      assert(!child.parent && "a task is awaited once");
      child.parent = parent;
      return true;
    }
    Result<T> await_resume() noexcept { return std::move(*frame.promise().result); }
  };
  Awaiter operator co_await() && noexcept { return {frame_}; }

  struct promise_type {
    bool started = false;
    std::optional<Result<T>> result;
    std::coroutine_handle<> parent;

    // Declared so that promise_type is not an aggregate: C++20 would otherwise initialise it with parentheses
    // from the coroutine's arguments.
    promise_type() = default;
    Task get_return_object() { return Task(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(Handle handle) noexcept {
        return handle.promise().continuation();
      }
      void await_resume() noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void return_value(T value) { result.emplace(std::move(value)); }
    void return_value(Error error) { result.emplace(std::move(error)); }
    void return_value(Result<T> outcome) { result.emplace(std::move(outcome)); }
    void unhandled_exception() noexcept {
      try {
        throw;
      } catch (const std::exception& exception) {
        result.emplace(internal_error(exception.what()));
      } catch (...) {
        result.emplace(internal_error("an exception of unknown type"));
      }
    }
    std::coroutine_handle<> continuation() noexcept {
      if (parent) return parent;
      return std::noop_coroutine();
    }
  };

 private:
  explicit Task(Handle frame) : frame_(frame) {}
  Handle frame_;
};

// `T value = co_await result;` yields the value, or ends this task with the error.
template <class T>
struct Unwrap {
  Result<T>& result;
  bool await_ready() const noexcept { return bool(result); }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> waiter) noexcept {
    waiter.promise().result.emplace(std::move(result.error()));
    return waiter.promise().continuation();
  }
  T await_resume() noexcept { return std::move(*result); }
};
template <class T>
Unwrap<T> operator co_await(Result<T>& result) noexcept {
  return {result};
}
template <class T>
Unwrap<T> operator co_await(Result<T>&& result) noexcept {
  return {result};
}

}  // namespace snapgen
