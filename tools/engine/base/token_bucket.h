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
      : minute_(per_minute), full_(burst * milli_tokens), held_(full_) {}

  // Takes `count` tokens, or none if there are fewer; `retry_after_ms` is then the wait until there are
  // enough, or nullopt if `count` exceeds `burst`. `now_ms` must not decrease between calls.
  struct TakeResult {
    bool ok = false;
    std::optional<std::int64_t> retry_after_ms;
  };
  TakeResult take(std::int64_t count, std::int64_t now_ms) {
    if (now_ms > last_ms_) {
      // The bucket is full after at most this time; a longer one could overflow the product.
      const std::int64_t passed =
          last_ms_ == never ? 0 : std::min(now_ms - last_ms_, full_ * 60 / minute_ + 60);
      held_ = std::min(full_, held_ + passed * minute_ / 60);
      last_ms_ = now_ms;
    }
    const std::int64_t wanted = count * milli_tokens;
    if (wanted <= held_) {
      held_ -= wanted;
      return {.ok = true, .retry_after_ms = 0};
    }
    if (wanted > full_) return {};
    return {.ok = false, .retry_after_ms = ((wanted - held_) * 60 + minute_ - 1) / minute_};
  }

 private:
  // The unit is a thousandth of a token: n tokens a minute are n / 60 of these units per millisecond.
  static constexpr std::int64_t milli_tokens = 1000;
  static constexpr std::int64_t never = -1;
  std::int64_t minute_;
  std::int64_t full_;
  std::int64_t held_;
  std::int64_t last_ms_ = never;
};

}  // namespace snapgen::core
