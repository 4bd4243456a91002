#pragma once
// CircuitBreaker stops calls to a failing service for a while. It has no clock: callers pass the time.
//
//   closed     attempts are allowed; opens when too many attempts in the window have failed
//   open       no attempts are allowed until open_ms has passed
//   half open  one attempt is allowed: the breaker closes if it succeeds, and opens again if it fails
//
// The outcome of an attempt is ignored if the breaker has changed its state since.
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace snapgen::fetch {

struct BreakerLimits {
  std::size_t attempts_min = 5;     // With fewer attempts in the window, it does not open.
  std::size_t failed_percent = 50;  // It opens if this share of attempts failed.
  std::int64_t window_ms = 60'000;
  std::int64_t open_ms = 30'000;
};

class CircuitBreaker {
 public:
  enum class State : std::uint8_t { closed, open, half_open };

  // The permission for one attempt. The holder reports the outcome by exactly one call of report_success(),
  // report_failure() or report_abandoned().
  struct Permit {
    std::uint64_t epoch = 0;
  };
  struct Admission {
    std::optional<Permit> permit;  // If empty, no attempt is allowed.
    // Without a permit: the time until an attempt is allowed; 0 if that is when the running attempt has
    // ended.
    std::int64_t retry_after_ms = 0;
  };

  explicit CircuitBreaker(BreakerLimits limits = {}) : limits_(limits) { assert(limits.attempts_min > 0); }

  State state(std::int64_t now_ms) const {
    if (state_ == State::open && now_ms >= open_until_ms_) return State::half_open;
    return state_;
  }

  Admission admit(std::int64_t now_ms) {
    if (state_ == State::open && now_ms < open_until_ms_) return {.retry_after_ms = open_until_ms_ - now_ms};
    if (state_ == State::open) enter_state(State::half_open);
    if (state_ == State::half_open) {
      if (is_probing_) return {};
      is_probing_ = true;
    }
    return {.permit = Permit{epoch_}};
  }
  void report_success(Permit permit, std::int64_t now_ms) {
    if (permit.epoch != epoch_) return;
    if (state_ == State::half_open) return enter_state(State::closed);
    record_outcome(false, now_ms);
  }
  void report_failure(Permit permit, std::int64_t now_ms) {
    if (permit.epoch != epoch_) return;
    if (state_ == State::half_open) return open(now_ms);
    record_outcome(true, now_ms);
    if (outcomes_.size() < limits_.attempts_min) return;
    if (failed_count_ * 100 >= limits_.failed_percent * outcomes_.size()) open(now_ms);
  }
  // Reports that the attempt was cancelled before its outcome was known.
  void report_abandoned(Permit permit) {
    if (permit.epoch == epoch_) is_probing_ = false;
  }

 private:
  struct Outcome {
    std::int64_t at_ms;
    bool failed;
  };

  void enter_state(State state) {
    state_ = state;
    ++epoch_;
    is_probing_ = false;
    outcomes_.clear();
    failed_count_ = 0;
  }
  void open(std::int64_t now_ms) {
    enter_state(State::open);
    open_until_ms_ = now_ms + limits_.open_ms;
  }
  void record_outcome(bool failed, std::int64_t now_ms) {
    while (!outcomes_.empty() && outcomes_.front().at_ms <= now_ms - limits_.window_ms) forget_first();
    if (outcomes_.size() == attempts_max) forget_first();
    outcomes_.push_back({now_ms, failed});
    failed_count_ += failed ? 1 : 0;
  }
  void forget_first() {
    failed_count_ -= outcomes_.front().failed ? 1 : 0;
    outcomes_.pop_front();
  }

  static constexpr std::size_t attempts_max = 1000;
  BreakerLimits limits_;
  State state_ = State::closed;
  std::uint64_t epoch_ = 0;
  std::int64_t open_until_ms_ = 0;
  bool is_probing_ = false;       // Half open, and the one attempt is in progress.
  std::deque<Outcome> outcomes_;  // Attempts in the window; empty unless closed.
  std::size_t failed_count_ = 0;  // The number of failed outcomes_.
};

}  // namespace snapgen::fetch
