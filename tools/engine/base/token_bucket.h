#pragma once
// TokenBucket is a token bucket for rate limits. It has at most `burst` tokens and refills evenly at
// `per_minute`.
#include <algorithm>
#include <cstdint>
#include <optional>

namespace snapgen::core {

class TokenBucket {
 public:
  TokenBucket(std::int64_t per_minute, std::int64_t burst)
      : per_minute_(per_minute), capacity_(burst * milli_tokens), tokens_(capacity_) {}

  // Takes `count` tokens, or none if there are fewer; `retry_after_ms` is then the wait until there are
  // enough, or nullopt if `count` exceeds `burst`. `now_ms` must not decrease between calls.
  struct TakeResult {
    bool ok = false;
    std::optional<std::int64_t> retry_after_ms;
  };
  TakeResult take(std::int64_t count, std::int64_t now_ms) {
    if (now_ms > last_ms_) {
      // The time is cut to what fills an empty bucket: with more, passed * per_minute_ could overflow.
      const std::int64_t passed =
          last_ms_ == never ? 0 : std::min(now_ms - last_ms_, capacity_ * 60 / per_minute_ + 60);
      tokens_ = std::min(capacity_, tokens_ + passed * per_minute_ / 60);
      last_ms_ = now_ms;
    }
    const std::int64_t wanted = count * milli_tokens;
    if (wanted <= tokens_) {
      tokens_ -= wanted;
      return {.ok = true, .retry_after_ms = 0};
    }
    if (wanted > capacity_) return {};
    return {.ok = false, .retry_after_ms = ((wanted - tokens_) * 60 + per_minute_ - 1) / per_minute_};
  }

 private:
  // The unit is a thousandth of a token: n tokens a minute are n / 60 of these units per millisecond.
  static constexpr std::int64_t milli_tokens = 1000;
  static constexpr std::int64_t never = -1;
  std::int64_t per_minute_;
  std::int64_t capacity_;
  std::int64_t tokens_;
  std::int64_t last_ms_ = never;
};

}  // namespace snapgen::core
