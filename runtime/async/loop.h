#pragma once
// Loop: the only code that resumes waiting coroutines. This header includes everything a coroutine can wait
// for: Task, Offload, Sleep, WaitReadable, Event, TaskScope.
#include <coroutine>
#include <utility>
#include <vector>

#include "runtime/async/event.h"
#include "runtime/async/offload.h"
#include "runtime/async/port.h"
#include "runtime/async/ready_queue.h"
#include "runtime/async/scope.h"
#include "runtime/async/sleep.h"
#include "runtime/async/task.h"
#include "runtime/async/wait_readable.h"

namespace snapgen {

class Loop final : public ReadyQueue {
 public:
  using ReadyQueue::ReadyQueue;

  // Runs `task`, and every coroutine that is posted meanwhile, until `task` has finished. All other tasks
  // must have been joined by then, because nothing resumes them afterwards.
  template <class T>
  Result<T> run(Task<T> task) {
    task.start();
    for (;;) {
      resume_posted();
      if (Result<T>* result = task.result()) return std::move(*result);
      port().wait();
    }
  }

 private:
  void resume_posted() {
    while (!posted_.empty()) {
      resuming_.swap(posted_);
      for (std::coroutine_handle<> waiter : resuming_) waiter.resume();
      resuming_.clear();
    }
  }

  std::vector<std::coroutine_handle<>> resuming_;
};

}  // namespace snapgen
