#pragma once
// SimPort: a Port whose choices (which job starts or finishes, when time advances) are determined by a seed.
// Time is virtual, so waiting takes no real time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "runtime/async/port.h"
#include "tests/sim/random.h"

namespace snapgen::sim {

class SimPort final : public Port {
 public:
  explicit SimPort(std::uint64_t seed) : random_(seed), workers_(random_.between(1, 4)) {}
  SimPort(SimPort&&) = delete;
  ~SimPort() {
    if (!jobs_.empty() || !alarms_.empty()) fail("a job or an alarm outlives the port");
  }

  Random& random() { return random_; }
  Millis now() const { return Millis(static_cast<Millis::rep>(now_ms_)); }
  std::size_t jobs_run() const { return jobs_run_; }
  std::size_t jobs_cancelled() const { return jobs_cancelled_; }

  // Delivers one or several events before any coroutine resumes, as a real port may.
  void wait() override {
    if (!happen()) fail("deadlock: the loop waits and nothing can happen");
    while (random_.one_in(3) && happen()) {
    }
  }
  void submit(Job& job) override { jobs_.push_back({&job, State::queued}); }
  void cancel(Job& job) override {
    auto found =
        std::find_if(jobs_.begin(), jobs_.end(), [&](const Entry& entry) { return entry.job == &job; });
    if (found == jobs_.end()) fail("a job is cancelled that is done, or was never submitted");
    if (found->state == State::queued) found->state = State::cancelled;
  }
  void start(Alarm& alarm, Millis after) override {
    if (alarm.is_set()) fail("an alarm is set twice");
    alarm.due_ms = now_ms_ + static_cast<std::uint64_t>(std::max<Millis::rep>(after.count(), 0));
    alarm.slot = 0;
    alarms_.push_back(&alarm);
  }
  void cancel(Alarm& alarm) override {
    if (!alarm.is_set()) return;
    alarm.slot = Alarm::no_slot;
    std::erase(alarms_, &alarm);
  }

  [[noreturn]] static void fail(const char* what) {
    std::fprintf(stderr, "simulation: %s\n", what);
    std::abort();
  }

 private:
  enum class State : std::uint8_t { queued, begun, cancelled };
  struct Entry {
    Job* job;
    State state;
  };

  // Delivers one event. Returns false if none is possible.
  bool happen() {
    for (;;) {
      std::size_t begun = 0;
      for (const Entry& entry : jobs_) begun += entry.state != State::queued;
      bool can_begin = begun < jobs_.size() && begun < workers_;
      bool can_finish = begun > 0;
      bool can_ring = !alarms_.empty();
      std::size_t moves = can_begin + can_finish + can_ring;
      if (moves == 0) return false;
      std::size_t move = random_.below(moves);
      if (can_begin && move-- == 0) {
        pick(true)->state = State::begun;
      } else if (can_finish && move-- == 0) {
        finish();
        return true;
      } else {
        ring();
        return true;
      }
    }
  }
  std::vector<Entry>::iterator pick(bool queued) {
    auto fits = [queued](const Entry& entry) { return (entry.state == State::queued) == queued; };
    std::size_t nth =
        random_.below(static_cast<std::size_t>(std::count_if(jobs_.begin(), jobs_.end(), fits)));
    auto found = std::find_if(jobs_.begin(), jobs_.end(), fits);
    for (; nth > 0; --nth) found = std::find_if(found + 1, jobs_.end(), fits);
    return found;
  }
  void finish() {
    auto chosen = pick(false);
    Entry entry = *chosen;
    jobs_.erase(chosen);
    bool cancelled = entry.state == State::cancelled;
    ++(cancelled ? jobs_cancelled_ : jobs_run_);
    if (!cancelled) entry.job->work();
    entry.job->on_done(cancelled);
  }
  // Fires one of the alarms that are due next. Alarms of the same time fire in any order.
  void ring() {
    auto earlier = [](const Alarm* a, const Alarm* b) { return a->due_ms < b->due_ms; };
    now_ms_ = std::max(now_ms_, (*std::min_element(alarms_.begin(), alarms_.end(), earlier))->due_ms);
    auto due = [this](const Alarm* alarm) { return alarm->due_ms <= now_ms_; };
    std::size_t nth =
        random_.below(static_cast<std::size_t>(std::count_if(alarms_.begin(), alarms_.end(), due)));
    auto chosen = std::find_if(alarms_.begin(), alarms_.end(), due);
    for (; nth > 0; --nth) chosen = std::find_if(chosen + 1, alarms_.end(), due);
    Alarm& alarm = **chosen;
    alarms_.erase(chosen);
    alarm.slot = Alarm::no_slot;
    alarm.ring();
  }

  Random random_;
  std::size_t workers_;
  std::uint64_t now_ms_ = 0;
  std::size_t jobs_run_ = 0;
  std::size_t jobs_cancelled_ = 0;
  std::vector<Entry> jobs_;
  std::vector<Alarm*> alarms_;
};

}  // namespace snapgen::sim
