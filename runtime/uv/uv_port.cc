#include "runtime/uv/uv_port.h"

#include <algorithm>
#include <cassert>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <sys/resource.h>
#include <uv.h>

#include "runtime/uv/state.h"

namespace snapgen {

Error uv_error(std::string_view what, int code) {
  return Error(ErrorCode::unavailable, "the system refused a resource that the server needs", {},
               std::string(what) + ": " + uv_strerror(code));
}

Result<std::unique_ptr<UvPort>> UvPort::create() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // Exceeding a file size limit becomes an error of the write.
  auto state = std::make_unique<State>();
  if (int code = uv_loop_init(&state->loop)) return uv_error("uv_loop_init", code);
  state->loop.data = state.get();
  uv_timer_init(&state->loop, &state->timer);  // This cannot fail.
  uv_unref(reinterpret_cast<uv_handle_t*>(&state->timer));
  return std::unique_ptr<UvPort>(new UvPort(std::move(state)));
}

UvPort::UvPort(std::unique_ptr<State> state) : state_(std::move(state)) {}

UvPort::~UvPort() {
  assert(state_->alarms.empty() && "an alarm outlives the port");
  uv_close(reinterpret_cast<uv_handle_t*>(&state_->timer), nullptr);
  state_->close_signals();
  while (uv_run(&state_->loop, UV_RUN_DEFAULT)) {
  }
  int code = uv_loop_close(&state_->loop);
  assert(code == 0 && "something of libuv's outlives the port");
  static_cast<void>(code);
}

void UvPort::wait() {
  assert(std::this_thread::get_id() == state_->thread);
  if (!uv_loop_alive(&state_->loop)) {
    assert(false && "deadlock: the loop waits and nothing can happen");
    std::abort();  // The loop would spin otherwise.
  }
  uv_run(&state_->loop, UV_RUN_ONCE);
}

void UvPort::submit(Job& job) {
  assert(std::this_thread::get_id() == state_->thread);
  auto request = std::make_unique<uv_work_t>();
  request->data = &job;
  job.port_data = request.get();
  auto work = [](uv_work_t* done) { static_cast<Job*>(done->data)->work(); };
  auto after = [](uv_work_t* done, int status) {
    std::unique_ptr<uv_work_t> owned(done);
    Job& finished = *static_cast<Job*>(done->data);
    finished.port_data = nullptr;
    finished.on_done(status == UV_ECANCELED);
  };
  int code = uv_queue_work(&state_->loop, request.release(), work, after);
  assert(code == 0);  // uv_queue_work() fails only for a null function.
  static_cast<void>(code);
}

void UvPort::cancel(Job& job) {
  assert(std::this_thread::get_id() == state_->thread && "a stop is requested on the loop's thread");
  uv_cancel(static_cast<uv_req_t*>(job.port_data));  // Fails (EBUSY) if the work has begun.
}

void UvPort::start(Alarm& alarm, Millis after) {
  assert(std::this_thread::get_id() == state_->thread);
  assert(!alarm.is_set());
  // The time is rounded up, so that an alarm never rings early.
  std::uint64_t wait_ms = static_cast<std::uint64_t>(std::max<Millis::rep>(after.count(), 0));
  alarm.due_ms = (uv_hrtime() + 999'999) / 1'000'000 + wait_ms;
  if (state_->alarms.empty()) uv_ref(reinterpret_cast<uv_handle_t*>(&state_->timer));
  state_->alarms.insert(alarm);
  // Cancelling does not reset the timer, which would cost more than if it fires once without a due alarm.
  if (state_->timer_due_ms == 0 || alarm.due_ms < state_->timer_due_ms) state_->set_timer(alarm.due_ms);
}

void UvPort::cancel(Alarm& alarm) {
  assert(std::this_thread::get_id() == state_->thread && "a stop is requested on the loop's thread");
  if (!alarm.is_set()) return;
  state_->alarms.remove(alarm);
  if (state_->alarms.empty()) uv_unref(reinterpret_cast<uv_handle_t*>(&state_->timer));
}

void UvPort::State::set_timer(std::uint64_t due_ms) {
  timer_due_ms = due_ms;
  std::uint64_t loop_now_ms = uv_now(&loop);  // The time of uv_hrtime(), cached by the loop.
  auto fire = [](uv_timer_t* fired) { static_cast<State*>(fired->loop->data)->ring_due_alarms(); };
  uv_timer_start(&timer, fire, due_ms > loop_now_ms ? due_ms - loop_now_ms : 0, 0);
}

void UvPort::State::ring_due_alarms() {
  timer_due_ms = 0;
  std::uint64_t now = now_ms();
  while (!alarms.empty() && alarms.first().due_ms <= now) {
    Alarm& alarm = alarms.first();
    alarms.remove(alarm);
    alarm.ring();
  }
  if (alarms.empty()) {
    uv_unref(reinterpret_cast<uv_handle_t*>(&timer));
  } else {
    set_timer(alarms.first().due_ms);
  }
}

std::size_t UvPort::raise_file_limit(std::size_t wanted) {
  ::rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);  // This call cannot fail.
  const ::rlimit before = limit;
  limit.rlim_cur = std::max(limit.rlim_cur, std::min<::rlim_t>(wanted, limit.rlim_max));
  if (limit.rlim_cur == before.rlim_cur || ::setrlimit(RLIMIT_NOFILE, &limit) != 0)
    return static_cast<std::size_t>(before.rlim_cur);
  if (!state_->file_limit_before) state_->file_limit_before = before;
  return static_cast<std::size_t>(limit.rlim_cur);
}

Result<Unit> UvPort::stop_on_signals(std::stop_source stop) {
  State& state = *state_;
  assert(state.open_signal_count == 0);
  state.stop = std::move(stop);
  auto on_event = [](uv_signal_t* signal, int) {
    State& self = *static_cast<State*>(signal->loop->data);
    for (uv_signal_t& each : self.signals) uv_signal_stop(&each);
    self.stop.request_stop();
  };
  const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
  for (uv_signal_t& signal : state.signals) {
    if (int code = uv_signal_init(&state.loop, &signal)) return uv_error("uv_signal_init", code);
    int number = numbers[state.open_signal_count++];
    if (int code = uv_signal_start(&signal, on_event, number)) return uv_error("uv_signal_start", code);
  }
  return Unit{};
}

void UvPort::State::close_signals() {
  while (open_signal_count > 0)
    uv_close(reinterpret_cast<uv_handle_t*>(&signals[--open_signal_count]), nullptr);
}

}  // namespace snapgen
