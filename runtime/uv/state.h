#pragma once
// The internal state of UvPort, which the source files in this folder share.
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string_view>
#include <thread>

#include <sys/resource.h>
#include <uv.h>

#include "runtime/async/port.h"
#include "runtime/base/result.h"
#include "runtime/uv/alarm_heap.h"
#include "runtime/uv/uv_port.h"

namespace snapgen {

// A thread that executes jobs for another thread, which blocks until they are done.
class HelperThread {
 public:
  HelperThread() : thread_([this] { run(); }) {}
  HelperThread(HelperThread&&) = delete;
  ~HelperThread();

  // Runs `job` on the thread and returns when it is done. One call at a time.
  void run_and_wait(const std::function<void()>& job);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* job_ = nullptr;
  bool ends_ = false;
  std::thread thread_;  // Must be the last member, because it uses the others.
};

struct UvPort::State {
  uv_loop_t loop;
  uv_timer_t timer;  // Serves all alarms; set to the earliest one or earlier.
  AlarmHeap alarms;
  std::uint64_t timer_due_ms = 0;  // When `timer` fires; 0 if it is not set.
  std::array<uv_signal_t, 3> signals;
  std::size_t open_signal_count = 0;  // How many of `signals` are initialized.
  std::stop_source stop;
  std::thread::id thread = std::this_thread::get_id();
  std::unique_ptr<HelperThread> helper;       // Starts children. If null, the loop's thread does.
  std::optional<::rlimit> file_limit_before;  // The limit that children get; nullopt if unchanged.

  static std::uint64_t now_ms() { return uv_hrtime() / 1'000'000; }
  void set_timer(std::uint64_t due_ms);
  void ring_due_alarms();
  void close_signals();
};

// Returns the error `unavailable`; `what` and the libuv code are only logged.
Error uv_error(std::string_view what, int code);

}  // namespace snapgen
