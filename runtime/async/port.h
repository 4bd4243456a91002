#pragma once
// Port: the outside world, as the loop sees it. runtime/uv is the real one; tests/sim has one whose every
// choice comes from a seed.
//
// All of it belongs to the loop's thread, Job::work() alone excepted. Callbacks never run user code: they
// post a coroutine that Loop::run() then resumes.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "runtime/async/acceptor.h"
#include "runtime/base/result.h"

namespace snapgen {

struct Command;  // runtime/async/child.h

using Millis = std::chrono::milliseconds;

// Work for the pool, owned by the awaiting frame. It stays alive until done().
struct Job {
  virtual void work() = 0;                // On a thread of the pool, at most once. Throws nothing.
  virtual void done(bool cancelled) = 0;  // On the loop, exactly once. Cancelled: work() was not called.
  void* port_data = nullptr;              // The port's own between submit() and done().

 protected:
  ~Job() = default;
};

// A point in time, owned by whoever waits for it. It stays alive while it is set.
struct Alarm {
  static constexpr std::size_t unset = static_cast<std::size_t>(-1);
  virtual void ring() = 0;   // On the loop, once; the alarm is no longer set then.
  std::size_t slot = unset;  // The port's own while set.
  std::uint64_t due_ms = 0;  // The port's own, on its clock.
  bool is_set() const { return slot != unset; }

 protected:
  ~Alarm() = default;
};

// A descriptor that somebody waits to read from, owned by whoever waits. It stays alive while it is watched.
struct Readiness {
  virtual void readable() = 0;  // On the loop, once; nothing is watched any more then.
  void* port_data = nullptr;    // The port's own while it is watched.

 protected:
  ~Readiness() = default;
};

// A program that runs in a process group of its own, owned by whoever awaits its end. It stays alive until
// gone().
struct Process {
  virtual void output(int fd, std::string_view bytes) = 0;  // On the loop: it wrote to 1 or 2.
  // On the loop, once: the program ended, by itself (`signal` 0) or by a signal. What it started may live on
  // and hold its outputs.
  virtual void ended(int exit_code, int signal) = 0;
  // On the loop, once and last: it ended, and nothing of it is open any more.
  virtual void gone() = 0;
  void* port_data = nullptr;  // The port's own between launch() and gone().

 protected:
  ~Process() = default;
};

class Port {
 public:
  // Waits for one event or more and runs their callbacks.
  virtual void wait() = 0;

  virtual void submit(Job& job) = 0;
  // Takes the job back if its work has not begun. done() comes either way, later.
  virtual void cancel(Job& job) = 0;

  virtual void start(Alarm& alarm, Millis after) = 0;
  // At once and for good: a cancelled alarm does not ring. Nothing happens if it is not set.
  virtual void cancel(Alarm& alarm) = 0;

  // Calls readable() when there is something to read from `fd`, or its other end is gone. Errors: unavailable
  // (not a descriptor to wait for, like a regular file). A port without descriptors refuses all.
  virtual Result<Unit> watch(Readiness& readiness, int fd) {
    static_cast<void>(readiness);
    static_cast<void>(fd);
    return Error(ErrorCode::unavailable, "This server waits for no descriptors.");
  }
  // At once and for good. Nothing happens if it is not watched.
  virtual void unwatch(Readiness& readiness) { static_cast<void>(readiness); }

  // Starts the program; then gone() comes, sooner or later. Blocks until the program runs (about 1 ms).
  // Errors: why it does not run, and nothing comes. A port without processes refuses all.
  virtual Result<Unit> launch(Process& child, const Command& command) {
    static_cast<void>(child);
    static_cast<void>(command);
    return Error(ErrorCode::unavailable, "This server starts no programs.");
  }
  // Sends a signal to the child's whole group.
  virtual void signal(Process& child, int number) {
    static_cast<void>(child);
    static_cast<void>(number);
  }
  // Closes what is still open of a child that ended, whoever else may hold it.
  virtual void detach(Process& child) { static_cast<void>(child); }

  // Listens for peers. Errors: invalid_argument (not an address); unavailable (in use, not permitted). A port
  // without sockets refuses all.
  virtual Result<std::unique_ptr<Acceptor>> listen(const Address& address) {
    static_cast<void>(address);
    return Error(ErrorCode::unavailable, "This server has no sockets.");
  }

 protected:
  ~Port() = default;
};

}  // namespace snapgen
