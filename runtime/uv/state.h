#pragma once
// UvPort's inside, shared by this folder.
#include <array>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include <uv.h>

#include "runtime/async/port.h"
#include "runtime/base/result.h"
#include "runtime/uv/alarm_heap.h"
#include "runtime/uv/uv_port.h"

namespace snapgen {

struct UvPort::State {
  uv_loop_t loop;
  uv_timer_t timer;  // One for all alarms: set to the first of them or earlier.
  AlarmHeap alarms;
  std::uint64_t timer_due_ms = 0;  // When `timer` fires; 0: not set.
  std::array<uv_signal_t, 3> signals;
  std::size_t signals_open = 0;  // How many of `signals` libuv knows.
  std::stop_source stop;
  std::thread::id thread = std::this_thread::get_id();

  static std::uint64_t now_ms() { return uv_hrtime() / 1'000'000; }
  void set_timer(std::uint64_t due_ms);
  void ring();
  void close_signals();
};

// What failed, for the log; the client hears no more than that something is not available.
Error uv_error(std::string_view what, int code);

}  // namespace snapgen
