#pragma once
// Breaker: keeps a service that fails from being asked again and again. Pure: whoever asks says what time it
// is.
//
//   closed     everything is let through; when of the last attempts in a window too many failed, it opens
//   open       nothing is let through, for a while
//   half open  one attempt is let through: if it succeeds the breaker closes, if it fails it opens again
//
// The outcome of an attempt that was let through before the breaker last changed says nothing any more.
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace snapgen::fetch {

struct BreakerLimits {
  std::size_t attempts_min = 5;     // Fewer in the window say nothing.
  std::size_t failed_percent = 50;  // Of the window's attempts: at so many it opens.
  std::int64_t window_ms = 60'000;
  std::int64_t open_ms = 30'000;
};

class Breaker {
 public:
  enum class State : std::uint8_t { closed, open, half_open };

  // Leave to make one attempt, which ends with exactly one of succeeded(), failed() and abandoned().
  struct Pass {
    std::uint64_t epoch = 0;
  };
  struct Admission {
    std::optional<Pass> pass;  // None: do not ask.
    std::int64_t retry_after_ms =
        0;  // Then: when it may be worth a try; 0: when the attempt that is under way ended.
  };

  explicit Breaker(BreakerLimits limits = {}) : limits_(limits) { assert(limits.attempts_min > 0); }

  State state(std::int64_t now_ms) const {
    if (state_ == State::open && now_ms >= open_until_ms_) return State::half_open;
    return state_;
  }

  Admission admit(std::int64_t now_ms) {
    if (state_ == State::open && now_ms < open_until_ms_) return {.retry_after_ms = open_until_ms_ - now_ms};
    if (state_ == State::open) turn(State::half_open);
    if (state_ == State::half_open) {
      if (probing_) return {};
      probing_ = true;
    }
    return {.pass = Pass{epoch_}};
  }
  void succeeded(Pass pass, std::int64_t now_ms) {
    if (pass.epoch != epoch_) return;
    if (state_ == State::half_open) return turn(State::closed);
    note(false, now_ms);
  }
  void failed(Pass pass, std::int64_t now_ms) {
    if (pass.epoch != epoch_) return;
    if (state_ == State::half_open) return open(now_ms);
    note(true, now_ms);
    if (attempts_.size() < limits_.attempts_min) return;
    if (failures_ * 100 >= limits_.failed_percent * attempts_.size()) open(now_ms);
  }
  // Nobody waited for the outcome.
  void abandoned(Pass pass) {
    if (pass.epoch == epoch_) probing_ = false;
  }

 private:
  struct Attempt {
    std::int64_t at_ms;
    bool failed;
  };

  void turn(State state) {
    state_ = state;
    ++epoch_;
    probing_ = false;
    attempts_.clear();
    failures_ = 0;
  }
  void open(std::int64_t now_ms) {
    turn(State::open);
    open_until_ms_ = now_ms + limits_.open_ms;
  }
  void note(bool failed, std::int64_t now_ms) {
    while (!attempts_.empty() && attempts_.front().at_ms <= now_ms - limits_.window_ms) forget_first();
    if (attempts_.size() == attempts_max) forget_first();
    attempts_.push_back({now_ms, failed});
    failures_ += failed ? 1 : 0;
  }
  void forget_first() {
    failures_ -= attempts_.front().failed ? 1 : 0;
    attempts_.pop_front();
  }

  static constexpr std::size_t attempts_max = 1000;
  BreakerLimits limits_;
  State state_ = State::closed;
  std::uint64_t epoch_ = 0;
  std::int64_t open_until_ms_ = 0;
  bool probing_ = false;          // Half open, and the one attempt is under way.
  std::deque<Attempt> attempts_;  // Of the window; only while it is closed.
  std::size_t failures_ = 0;      // Of those.
};

}  // namespace snapgen::fetch
