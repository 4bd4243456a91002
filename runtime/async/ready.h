#pragma once
// Ready: where a coroutine that waited comes back to, and the port it waits for. What Offload, Sleep, Event
// and Scope know of the loop.
//
// One thread: everything here, and every request_stop() on a token that a coroutine waits with, happens on
// the thread that runs the loop. (Stop callbacks run where the stop is requested.) Work on the pool may look
// at a token with stop_requested(), nothing else.
#include <coroutine>
#include <vector>

#include "runtime/async/port.h"
#include "runtime/base/result.h"

namespace snapgen {

class Ready {
 public:
  explicit Ready(Port& port) : port_(port) {}
  Ready(Ready&&) = delete;

  Port& port() { return port_; }
  // Loop::run() resumes it after those posted before.
  void post(std::coroutine_handle<> waiter) { posted_.push_back(waiter); }

 protected:
  ~Ready() = default;
  std::vector<std::coroutine_handle<>> posted_;

 private:
  Port& port_;
};

inline Error cancelled_error() { return Error(ErrorCode::cancelled, "the call was cancelled"); }

}  // namespace snapgen
