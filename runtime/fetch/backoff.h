#pragma once
// Retry rules: exponential back-off with full jitter, so that the clients of a service that recovers do not
// all return at the same moment.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "runtime/async/port.h"

namespace snapgen::fetch {

struct RetryRules {
  int retries_max = 2;             // In addition to the first attempt.
  Millis first_wait_max{100};      // Upper bound of the first wait; doubles with each retry.
  Millis longest_wait_max{2'000};  // Upper bound of each computed wait.
  Millis retry_after_max{5'000};   // There is no retry if Retry-After is longer.
};

// Returns the upper bound of the wait before retry number `retry`, counted from 0.
inline Millis wait_max_before_retry(const RetryRules& rules, int retry) {
  const int doublings = std::clamp(retry, 0, 30);
  return std::min(rules.longest_wait_max, Millis(rules.first_wait_max.count() << doublings));
}

// Returns the wait before retry number `retry`: a random time up to wait_max_before_retry(), plus the
// service's Retry-After. Returns nullopt if there is no further retry.
inline std::optional<Millis> wait_before_retry(const RetryRules& rules, int retry,
                                               std::optional<Millis> retry_after, std::uint64_t random) {
  if (retry >= rules.retries_max) return std::nullopt;
  const Millis own(static_cast<Millis::rep>(random % (wait_max_before_retry(rules, retry).count() + 1u)));
  if (!retry_after) return own;
  if (*retry_after > rules.retry_after_max) return std::nullopt;
  return *retry_after + own;
}

}  // namespace snapgen::fetch
