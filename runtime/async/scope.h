#pragma once
// TaskScope: owns the tasks that no coroutine awaits. Task scopes nest: the server's, a session's, a call's.
//
//   TaskScope calls(loop, stop);
//   calls.spawn(handle_call(...));
//   ...
//   calls.cancel();
//   co_await calls.join();
//
// A scope must be joined before it is destroyed: cancel() requests a stop and join() waits. A scope never
// destroys a running task. A spawned task's error is dropped, so handle errors inside the task.
#include <cassert>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <stop_token>
#include <utility>

#include "runtime/async/ready_queue.h"
#include "runtime/async/task.h"
#include "runtime/base/result.h"

namespace snapgen {

class TaskScope {
 public:
  // A stop of `parent` also stops this scope.
  explicit TaskScope(ReadyQueue& loop, std::stop_token parent = {}) : loop_(loop) {
    if (parent.stop_possible()) on_parent_stop_.emplace(std::move(parent), Forward{this});
  }
  ~TaskScope() { assert(running_count_ == 0 && "join the scope before leaving it"); }
  TaskScope(TaskScope&&) = delete;

  std::stop_token stop() const { return stop_.get_token(); }
  void cancel() { stop_.request_stop(); }
  // The number of tasks that have not finished.
  std::size_t size() const { return running_count_; }

  // Runs the task to its first wait or to its end; returns true if it finished. For a task that finishes
  // without waiting, no frame is allocated besides its own.
  bool spawn(Task<Unit> task) {
    ++running_count_;
    {
      Task<Unit> owned = std::move(task);
      if (!owned.start()) {
        TaskOwner::own(*this, std::move(owned));
        return false;
      }
    }
    on_task_finished();
    return true;
  }

  // Waits until every task has finished. Only one coroutine may wait.
  auto join() {
    struct Awaiter {
      TaskScope& scope;
      bool await_ready() const noexcept { return scope.running_count_ == 0; }
      void await_suspend(std::coroutine_handle<> joiner) noexcept {
        assert(!scope.joiner_);
        scope.joiner_ = joiner;
      }
      void await_resume() noexcept {}
    };
    return Awaiter{*this};
  }

 private:
  struct Forward {
    TaskScope* self;
    void operator()() noexcept { self->cancel(); }
  };

  // Owns a waiting task and destroys itself when the task has finished.
  struct TaskOwner {
    struct promise_type {
      promise_type() = default;
      TaskOwner get_return_object() { return {}; }
      std::suspend_never initial_suspend() noexcept { return {}; }
      std::suspend_never final_suspend() noexcept { return {}; }
      void return_void() {}
      void unhandled_exception() { std::terminate(); }
    };
    static TaskOwner own(TaskScope& scope, Task<Unit> task) {
      {
        Task<Unit> owned = std::move(task);
        Result<Unit> outcome = co_await std::move(owned);
        static_cast<void>(outcome);
      }
      scope.on_task_finished();
    }
  };

  void on_task_finished() {
    if (--running_count_ == 0 && joiner_) loop_.post(std::exchange(joiner_, {}));
  }

  ReadyQueue& loop_;
  std::stop_source stop_;
  std::size_t running_count_ = 0;
  std::coroutine_handle<> joiner_;
  std::optional<std::stop_callback<Forward>> on_parent_stop_;
};

}  // namespace snapgen
