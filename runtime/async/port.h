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

// Work for the pool. The awaiting frame owns it and keeps it alive until done().
struct Job {
  virtual void work() = 0;                // On a pool thread, at most once. Must not throw.
  virtual void done(bool cancelled) = 0;  // On the loop, exactly once. Cancelled: work() was not called.
  void* port_data = nullptr;              // Used by the port between submit() and done().

 protected:
  ~Job() = default;
};

// A point in time. The waiting object owns it and keeps it alive while it is set.
struct Alarm {
  static constexpr std::size_t unset = static_cast<std::size_t>(-1);
  virtual void ring() = 0;   // On the loop, once; the alarm is no longer set.
  std::size_t slot = unset;  // Used by the port while set.
  std::uint64_t due_ms = 0;  // Used by the port, on its clock.
  bool is_set() const { return slot != unset; }

 protected:
  ~Alarm() = default;
};

// A descriptor to wait for. The waiting object owns it and keeps it alive while it is watched.
struct Readiness {
  virtual void readable() = 0;  // On the loop, once; it is no longer watched.
  void* port_data = nullptr;    // Used by the port while it is watched.

 protected:
  ~Readiness() = default;
};

// A program in a separate process group. The awaiting object owns it and keeps it alive until gone().
struct Process {
  virtual void output(int fd, std::string_view bytes) = 0;  // On the loop: bytes from descriptor 1 or 2.
  // On the loop, once: the program exited, by itself (`signal` 0) or by a signal. Its descendants may still
  // run and have its outputs open.
  virtual void ended(int exit_code, int signal) = 0;
  // On the loop, once and last: it exited, and all its pipes are closed.
  virtual void gone() = 0;
  void* port_data = nullptr;  // Used by the port between launch() and gone().

 protected:
  ~Process() = default;
};

class Port {
 public:
  // Waits for at least one event and runs the callbacks.
  virtual void wait() = 0;

  virtual void submit(Job& job) = 0;
  // Removes the job if its work has not begun. done() is called later in either case.
  virtual void cancel(Job& job) = 0;

  virtual void start(Alarm& alarm, Millis after) = 0;
  // Takes effect immediately: a cancelled alarm does not ring. Does nothing if it is not set.
  virtual void cancel(Alarm& alarm) = 0;

  // Calls readable() when `fd` has data or its other end is closed. Errors: unavailable (not pollable, such
  // as a regular file; or the port has no descriptors).
  virtual Result<Unit> watch(Readiness& readiness, int fd) {
    static_cast<void>(readiness);
    static_cast<void>(fd);
    return Error(ErrorCode::unavailable, "This server cannot wait for file descriptors.");
  }
  // Takes effect immediately. Does nothing if it is not watched.
  virtual void unwatch(Readiness& readiness) { static_cast<void>(readiness); }

  // Starts the program and blocks until it runs (about 1 ms). On success, gone() is called eventually. On an
  // error (the reason why it does not run) there are no calls. A port without processes always fails.
  virtual Result<Unit> launch(Process& child, const ChildCommand& command) {
    static_cast<void>(child);
    static_cast<void>(command);
    return Error(ErrorCode::unavailable, "This server cannot start programs; run the program yourself.");
  }
  // Sends a signal to the child's whole group.
  virtual void signal(Process& child, int number) {
    static_cast<void>(child);
    static_cast<void>(number);
  }
  // Closes the pipes of a child that exited, even if other processes have them open.
  virtual void detach(Process& child) { static_cast<void>(child); }

  // Listens for peers. Errors: invalid_argument (not an address); unavailable (in use, not permitted, or the
  // port has no sockets).
  virtual Result<std::unique_ptr<Acceptor>> listen(const Address& address) {
    static_cast<void>(address);
    return Error(ErrorCode::unavailable, "This server cannot open sockets.");
  }

 protected:
  ~Port() = default;
};

}  // namespace snapgen
