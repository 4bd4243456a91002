#pragma once
// ReadyQueue: the queue of coroutines to resume, and the port. Offload, Sleep, Event and TaskScope use the
// loop through this interface.
//
// Everything here runs on the loop's thread. If a coroutine waits with a stop token, the stop must be
// requested on that thread too, because stop callbacks run where the stop is requested. Work on the thread
// pool may only call stop_requested().
#include <coroutine>
#include <vector>

#include "runtime/async/port.h"
#include "runtime/base/result.h"

namespace snapgen {

class ReadyQueue {
 public:
  explicit ReadyQueue(Port& port) : port_(port) {}
  ReadyQueue(ReadyQueue&&) = delete;

  Port& port() { return port_; }
  // Loop::run() resumes `waiter` after those that were posted earlier.
  void post(std::coroutine_handle<> waiter) { posted_.push_back(waiter); }

 protected:
  ~ReadyQueue() = default;
  std::vector<std::coroutine_handle<>> posted_;

 private:
  Port& port_;
};

inline Error cancelled_error() { return Error(ErrorCode::cancelled, "the call was cancelled"); }

}  // namespace snapgen
