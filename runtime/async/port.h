#pragma once
// Port: the loop's interface to the operating system. runtime/uv implements it; tests/sim has an
// implementation whose choices all come from a seed.
//
// Everything except Job::work() runs on the loop's thread. Callbacks never run user code: they post a
// coroutine that Loop::run() resumes.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "runtime/async/acceptor.h"
#include "runtime/base/result.h"

namespace snapgen {

struct ChildCommand;  // runtime/async/child.h

using Millis = std::chrono::milliseconds;

// Work for the thread pool. The awaiting coroutine's frame owns the job and keeps it alive until on_done().
struct Job {
  virtual void work() = 0;  // Called on a pool thread, at most once. Must not throw.
  // Called on the loop, exactly once. If `cancelled`, work() was not called.
  virtual void on_done(bool cancelled) = 0;
  void* port_data = nullptr;  // The port uses it between submit() and on_done().

 protected:
  ~Job() = default;
};

// A timer that rings once. The waiting object owns the alarm and keeps it alive while it is set.
struct Alarm {
  static constexpr std::size_t no_slot = static_cast<std::size_t>(-1);
  virtual void ring() = 0;     // Called on the loop, once, when the alarm is no longer set.
  std::size_t slot = no_slot;  // The port uses it while the alarm is set.
  std::uint64_t due_ms = 0;    // The port uses it, on its own clock.
  bool is_set() const { return slot != no_slot; }

 protected:
  ~Alarm() = default;
};

// A wait for a file descriptor. The waiting object owns it, and keeps it alive while the descriptor is
// watched.
struct DescriptorWait {
  virtual void on_readable() = 0;  // Called on the loop, once, when the descriptor is no longer watched.
  void* port_data = nullptr;       // The port uses it while the descriptor is watched.

 protected:
  ~DescriptorWait() = default;
};

// Listens to a program, which runs in a separate process group. The awaiting object owns the listener, and
// keeps it alive until on_closed().
struct ProcessListener {
  // Called on the loop with bytes that the program wrote to its descriptor 1 or 2.
  virtual void on_output(int fd, std::string_view bytes) = 0;
  // Called on the loop, once, when the program exited, by itself (`signal` is 0) or by a signal. Its
  // descendants may still run and have its output pipes open.
  virtual void on_exit(int exit_code, int signal) = 0;
  // Called on the loop, once and last, when the program has exited and all its pipes are closed.
  virtual void on_closed() = 0;
  void* port_data = nullptr;  // The port uses it between launch() and on_closed().

 protected:
  ~ProcessListener() = default;
};

class Port {
 public:
  // Waits for at least one event and runs the callbacks.
  virtual void wait() = 0;

  virtual void submit(Job& job) = 0;
  // Removes the job from the pool's queue if its work has not begun. on_done() is called later in either
  // case.
  virtual void cancel(Job& job) = 0;

  virtual void start(Alarm& alarm, Millis after) = 0;
  // Cancels an alarm immediately, so it does not ring. Does nothing if the alarm is not set.
  virtual void cancel(Alarm& alarm) = 0;

  // Calls on_readable() when `fd` has data or its other end is closed. Errors: unavailable (`fd` cannot be
  // polled, such as a regular file; or the port has no descriptors).
  virtual Result<Unit> watch(DescriptorWait& readiness, int fd) {
    static_cast<void>(readiness);
    static_cast<void>(fd);
    return Error(ErrorCode::unavailable, "This server cannot wait for file descriptors.");
  }
  // Ends the watch immediately: on_readable() is not called. Does nothing if the descriptor is not watched.
  virtual void unwatch(DescriptorWait& readiness) { static_cast<void>(readiness); }

  // Starts the program and blocks until it runs (about 1 ms). On success, on_closed() is called eventually.
  // An error says why the program does not run; the port then calls none of the child's functions. A port
  // without processes always fails.
  virtual Result<Unit> launch(ProcessListener& child, const ChildCommand& command) {
    static_cast<void>(child);
    static_cast<void>(command);
    return Error(ErrorCode::unavailable, "This server cannot start programs; run the program yourself.");
  }
  // Sends a signal to the child's whole group.
  virtual void signal(ProcessListener& child, int number) {
    static_cast<void>(child);
    static_cast<void>(number);
  }
  // Closes the pipes of a child that exited, even if other processes have them open.
  virtual void close_pipes(ProcessListener& child) { static_cast<void>(child); }

  // Listens for peers. Errors: invalid_argument (`address` is not an address); unavailable (the address is in
  // use or not permitted, or the port has no sockets).
  virtual Result<std::unique_ptr<Acceptor>> listen(const Address& address) {
    static_cast<void>(address);
    return Error(ErrorCode::unavailable, "This server cannot open sockets.");
  }

 protected:
  ~Port() = default;
};

}  // namespace snapgen
