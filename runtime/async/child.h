#pragma once
// RunChild: runs a program and waits until it exits. Used for work that only another program can do, such as
// checks and command tools.
//
//   ChildCommand command{.argv = {"git", "version"}, .environment = inherited(names), .folder = root};
//   Result<ChildResult> result = co_await RunChild(loop, stop, command);
//
// The program runs in a separate process group. At the deadline, on a stop, or when it writes too much (with
// ends_at_output_limit), the whole group receives SIGTERM, and SIGKILL after `grace`. When the program exits,
// the rest of its group is killed, so only processes that left the group survive. A stop returns `cancelled`
// after the whole group has exited.
#include <algorithm>
#include <cassert>
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
#include "runtime/async/ready_queue.h"
#include "runtime/base/confinement.h"
#include "runtime/base/result.h"

namespace snapgen {

struct ChildCommand {
  std::vector<std::string> argv;           // argv[0] is the program: a path, or a name to find in PATH.
  std::vector<std::string> environment;    // All variables, as NAME=value; see inherited().
  std::string folder;                      // The working directory; empty: this process's.
  std::string input;                       // The program's standard input.
  std::size_t output_bytes_max = 1 << 20;  // Bytes of output to store; the rest is only counted.
  // The folders to which the program and its children may write, where the kernel has Landlock. Nullopt: all
  // to which this process may.
  std::optional<Confinement> confinement;
  std::size_t error_output_bytes_max = 64 << 10;
  std::size_t tail_bytes_max = 0;     // Bytes to store of the end of an output that exceeds its limit.
  bool ends_at_output_limit = false;  // Whether the program is terminated when it exceeds a limit above.
  Millis deadline{0};                 // From start to SIGTERM; 0 means no limit.
  Millis grace{2000};                 // The time between SIGTERM and SIGKILL.
};

enum class ChildEnding : std::uint8_t {
  exited,        // by itself, with `exit_code`
  signaled,      // by `signal`, which another process sent or a fault raised
  timed_out,     // RunChild terminated it at the deadline
  output_limit,  // RunChild terminated it because it wrote too much
};

struct ChildResult {
  ChildEnding ending = ChildEnding::exited;
  int exit_code = 0;
  int signal = 0;
  std::string output;  // The first bytes of standard output; not necessarily text.
  std::string error_output;
  std::string output_tail;  // The last bytes of an output that exceeded its limit; see tail_bytes_max.
  std::string error_output_tail;
  std::size_t total_output_bytes = 0;  // All bytes that the program wrote, stored or not.
  std::size_t total_error_output_bytes = 0;
  bool has_all_output() const {
    return output.size() == total_output_bytes && error_output.size() == total_error_output_bytes;
  }
};

// Returns the variables of this process's environment that are set and have one of these names.
inline std::vector<std::string> inherited_variables(std::span<const std::string> names) {
  std::vector<std::string> found;
  for (const std::string& name : names) {
    const char* value = std::getenv(name.c_str());
    if (value) found.push_back(name + "=" + value);
  }
  return found;
}

class [[nodiscard]] RunChild final : ProcessListener {
 public:
  // Prepares the wait; awaiting it starts the program. `command` must outlive the wait.
  RunChild(ReadyQueue& loop, std::stop_token stop, const ChildCommand& command)
      : loop_(loop), stop_(std::move(stop)), command_(command), deadline_alarm_(*this), grace_alarm_(*this) {}
  RunChild(RunChild&&) = delete;

  bool await_ready() const noexcept { return stop_.stop_requested(); }
  void await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    Result<Unit> started = loop_.port().launch(*this, command_);
    if (!started) {
      start_error_.emplace(std::move(started.error()));
      return loop_.post(waiter_);
    }
    state_ = State::running;
    if (command_.deadline.count() > 0) loop_.port().start(deadline_alarm_, command_.deadline);
    if (stop_.stop_possible()) on_stop_.emplace(stop_, Cancel{this});
  }
  // Returns how the program ended, and its output. Errors: cancelled; unavailable (the program could not be
  // started; the message says why).
  Result<ChildResult> await_resume() {
    if (start_error_) return std::move(*start_error_);
    if (cancelled_ || state_ == State::not_started) return cancelled_error();
    return std::move(result_);
  }

 private:
  enum class State : std::uint8_t { not_started, running, terminating, ended };
  struct Cancel {
    RunChild* self;
    void operator()() noexcept {
      self->cancelled_ = true;
      self->terminate();
    }
  };
  struct Deadline final : Alarm {
    explicit Deadline(RunChild& owner) : self(owner) {}
    void ring() override { self.terminate(ChildEnding::timed_out); }
    RunChild& self;
  };
  struct GraceAlarm final : Alarm {
    explicit GraceAlarm(RunChild& owner) : self(owner) {}
    void ring() override {
      if (self.state_ == State::ended) return self.loop_.port().close_pipes(self);
      self.loop_.port().signal(self, SIGKILL);
    }
    RunChild& self;
  };

  // Terminates the child's process group with SIGTERM, and after `grace` with SIGKILL.
  void terminate(std::optional<ChildEnding> why = {}) noexcept {
    if (state_ != State::running) return;
    state_ = State::terminating;
    if (why) forced_ending_ = why;
    loop_.port().cancel(deadline_alarm_);
    loop_.port().signal(*this, SIGTERM);
    loop_.port().start(grace_alarm_, command_.grace);
  }

  // Appends bytes of which the last tail_bytes_max are stored. Longer texts are cut rarely, because each cut
  // moves the rest.
  void append_to_tail(std::string& tail, std::string_view bytes) {
    tail.append(bytes);
    if (tail.size() > 2 * command_.tail_bytes_max) tail.erase(0, tail.size() - command_.tail_bytes_max);
  }

  void on_output(int fd, std::string_view bytes) override {
    std::string& stored = fd == 1 ? result_.output : result_.error_output;
    const std::size_t max = fd == 1 ? command_.output_bytes_max : command_.error_output_bytes_max;
    (fd == 1 ? result_.total_output_bytes : result_.total_error_output_bytes) += bytes.size();
    const std::size_t fitting = std::min(bytes.size(), max - stored.size());
    stored.append(bytes.substr(0, fitting));
    if (command_.tail_bytes_max > 0)
      append_to_tail(fd == 1 ? result_.output_tail : result_.error_output_tail, bytes.substr(fitting));
    if (!result_.has_all_output() && command_.ends_at_output_limit) terminate(ChildEnding::output_limit);
  }
  void on_exit(int exit_code, int signal) override {
    result_.exit_code = exit_code;
    result_.signal = signal;
    result_.ending = signal ? ChildEnding::signaled : ChildEnding::exited;
    if (forced_ending_) result_.ending = *forced_ending_;
    loop_.port().cancel(deadline_alarm_);
    loop_.port().cancel(grace_alarm_);
    state_ = State::ended;
    loop_.port().signal(*this, SIGKILL);
    // Processes that left the group may keep the child's output pipes open, so this wait is limited too.
    loop_.port().start(grace_alarm_, command_.grace);
  }
  void on_closed() override {
    on_stop_.reset();
    loop_.port().cancel(grace_alarm_);
    loop_.post(waiter_);
  }

  ReadyQueue& loop_;
  std::stop_token stop_;
  const ChildCommand& command_;
  Deadline deadline_alarm_;
  GraceAlarm grace_alarm_;
  State state_ = State::not_started;
  bool cancelled_ = false;
  std::optional<ChildEnding> forced_ending_;
  std::optional<Error> start_error_;
  ChildResult result_;
  std::coroutine_handle<> waiter_;
  std::optional<std::stop_callback<Cancel>> on_stop_;
};

}  // namespace snapgen
