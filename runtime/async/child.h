#pragma once
// RunChild: runs a program and waits until it exits. Used for work that only another program can do, such as
// checks and command tools.
//
//   ChildCommand command{.argv = {"git", "version"}, .environment = inherited(names), .folder = root};
//   Result<Finished> finished = co_await RunChild(loop, stop, command);
//
// The program runs in a separate process group. At the deadline, on a stop, or when it writes too much (with
// ends_when_full), the whole group receives SIGTERM, and SIGKILL after `grace`. When the program exits, the
// rest of its group is killed, so only processes that left the group survive. A stop returns `cancelled`
// after the whole group has exited.
#include <algorithm>
#include <cassert>
#include <chrono>
#include <coroutine>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/async/port.h"
#include "runtime/async/ready.h"
#include "runtime/base/result.h"

namespace snapgen {

struct ChildCommand {
  std::vector<std::string> argv;           // argv[0] is the program: a path, or a name to find in PATH.
  std::vector<std::string> environment;    // All variables, as NAME=value; see inherited().
  std::string folder;                      // The working directory; empty: this process's.
  std::string input;                       // The program's standard input.
  std::size_t output_bytes_max = 1 << 20;  // Bytes of output to store; the rest is only counted.
  std::size_t errors_bytes_max = 64 << 10;
  bool ends_when_full = false;  // Whether the program is terminated when it exceeds a limit above.
  Millis deadline{0};           // From start to SIGTERM; 0 means no limit.
  Millis grace{2000};           // The time between SIGTERM and SIGKILL.
};

enum class Ending : std::uint8_t {
  exited,    // by itself, with `exit_code`
  signaled,  // by `signal`, which another process sent or a fault raised
  late,      // RunChild terminated it at the deadline
  full,      // RunChild terminated it because it wrote too much
};

struct Finished {
  Ending ending = Ending::exited;
  int exit_code = 0;
  int signal = 0;
  std::string output;  // The first bytes of standard output; not necessarily text.
  std::string errors;
  std::size_t output_bytes = 0;  // All bytes that the program wrote, stored or not.
  std::size_t errors_bytes = 0;
  bool is_complete() const { return output.size() == output_bytes && errors.size() == errors_bytes; }
};

// Returns the variables of this process's environment that are set and have one of these names.
inline std::vector<std::string> inherited(std::span<const std::string> names) {
  std::vector<std::string> found;
  for (const std::string& name : names) {
    const char* value = std::getenv(name.c_str());
    if (value) found.push_back(name + "=" + value);
  }
  return found;
}

class [[nodiscard]] RunChild final : Process {
 public:
  // Prepares the wait; awaiting it starts the program. `command` must outlive the wait.
  RunChild(Ready& loop, std::stop_token stop, const ChildCommand& command)
      : loop_(loop), stop_(std::move(stop)), command_(command), deadline_(*this), grace_(*this) {}
  RunChild(RunChild&&) = delete;

  bool await_ready() const noexcept { return stop_.stop_requested(); }
  void await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    Result<Unit> started = loop_.port().launch(*this, command_);
    if (!started) {
      refused_.emplace(std::move(started.error()));
      return loop_.post(waiter_);
    }
    state_ = State::running;
    if (command_.deadline.count() > 0) loop_.port().start(deadline_, command_.deadline);
    if (stop_.stop_possible()) on_stop_.emplace(stop_, Cancel{this});
  }
  // Returns how the program ended, and its output. Errors: cancelled; unavailable (the program could not be
  // started; the message says why).
  Result<Finished> await_resume() {
    if (refused_) return std::move(*refused_);
    if (cancelled_ || state_ == State::unborn) return cancelled_error();
    return std::move(finished_);
  }

 private:
  enum class State : std::uint8_t { unborn, running, asked, ended };
  struct Cancel {
    RunChild* self;
    void operator()() noexcept {
      self->cancelled_ = true;
      self->end();
    }
  };
  struct Deadline final : Alarm {
    explicit Deadline(RunChild& owner) : self(owner) {}
    void ring() override { self.end(Ending::late); }
    RunChild& self;
  };
  struct GraceAlarm final : Alarm {
    explicit GraceAlarm(RunChild& owner) : self(owner) {}
    void ring() override {
      if (self.state_ == State::ended) return self.loop_.port().detach(self);
      self.loop_.port().signal(self, SIGKILL);
    }
    RunChild& self;
  };

  // Terminates the child's process group with SIGTERM, and after `grace` with SIGKILL.
  void end(std::optional<Ending> why = {}) noexcept {
    if (state_ != State::running) return;
    state_ = State::asked;
    if (why) why_ = why;
    loop_.port().cancel(deadline_);
    loop_.port().signal(*this, SIGTERM);
    loop_.port().start(grace_, command_.grace);
  }

  void output(int fd, std::string_view bytes) override {
    std::string& kept = fd == 1 ? finished_.output : finished_.errors;
    const std::size_t max = fd == 1 ? command_.output_bytes_max : command_.errors_bytes_max;
    (fd == 1 ? finished_.output_bytes : finished_.errors_bytes) += bytes.size();
    kept.append(bytes.substr(0, std::min(bytes.size(), max - kept.size())));
    if (!finished_.is_complete() && command_.ends_when_full) end(Ending::full);
  }
  void ended(int exit_code, int signal) override {
    finished_.exit_code = exit_code;
    finished_.signal = signal;
    finished_.ending = signal ? Ending::signaled : Ending::exited;
    if (why_) finished_.ending = *why_;
    loop_.port().cancel(deadline_);
    loop_.port().cancel(grace_);
    state_ = State::ended;
    loop_.port().signal(*this, SIGKILL);
    // Processes that left the group may keep the child's output pipes open, so this wait is limited too.
    loop_.port().start(grace_, command_.grace);
  }
  void gone() override {
    on_stop_.reset();
    loop_.port().cancel(grace_);
    loop_.post(waiter_);
  }

  Ready& loop_;
  std::stop_token stop_;
  const ChildCommand& command_;
  Deadline deadline_;
  GraceAlarm grace_;
  State state_ = State::unborn;
  bool cancelled_ = false;
  std::optional<Ending> why_;
  std::optional<Error> refused_;
  Finished finished_;
  std::coroutine_handle<> waiter_;
  std::optional<std::stop_callback<Cancel>> on_stop_;
};

}  // namespace snapgen
