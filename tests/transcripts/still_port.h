#pragma once
// StillPort: a Port whose time does not advance while any event is possible, so that a transcript does not
// depend on how its bytes are divided. tests/sim tests other orders.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <utility>
#include <vector>

#include "runtime/async/port.h"

namespace snapgen::transcripts {

class StillPort final : public Port {
 public:
  // Delivers one event: a job, or the alarm that is due first. Of alarms due at the same time, the one set
  // first.
  void wait() override {
    if (!jobs_.empty()) {
      const auto [job, cancelled] = jobs_.front();
      jobs_.pop_front();
      if (!cancelled) job->work();
      return job->on_done(cancelled);
    }
    if (alarms_.empty()) std::abort();  // No event is possible.
    const auto earlier = [](const Alarm* a, const Alarm* b) { return a->due_ms < b->due_ms; };
    const auto first = std::min_element(alarms_.begin(), alarms_.end(), earlier);
    Alarm& alarm = **first;
    alarms_.erase(first);
    now_ms_ = alarm.due_ms;
    alarm.slot = Alarm::no_slot;
    alarm.ring();
  }
  void submit(Job& job) override { jobs_.emplace_back(&job, false); }
  void cancel(Job& job) override {
    for (auto& [queued, cancelled] : jobs_) cancelled |= queued == &job;
  }
  void start(Alarm& alarm, Millis after) override {
    alarm.due_ms = now_ms_ + static_cast<std::uint64_t>(std::max<Millis::rep>(after.count(), 0));
    alarm.slot = 0;
    alarms_.push_back(&alarm);
  }
  void cancel(Alarm& alarm) override {
    if (!alarm.is_set()) return;
    alarm.slot = Alarm::no_slot;
    std::erase(alarms_, &alarm);
  }

 private:
  std::uint64_t now_ms_ = 0;
  std::deque<std::pair<Job*, bool>> jobs_;
  std::vector<Alarm*> alarms_;
};

}  // namespace snapgen::transcripts
