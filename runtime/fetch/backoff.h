#pragma once
// When a request that failed is asked again: exponential back-off with full jitter, so that many clients of a
// service that comes back do not come back together.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "runtime/async/port.h"

namespace snapgen::fetch {

struct RetryRules {
  int retries_max = 2;            // After the first attempt.
  Millis first{100};              // The longest wait before the first retry; it doubles with each.
  Millis longest{2'000};          // No wait of our own is longer.
  Millis retry_after_max{5'000};  // A service that asks for more patience is not asked again.
};

// The longest wait before retry number `retry`, counted from 0.
inline Millis ceiling(const RetryRules& rules, int retry) {
  const int doublings = std::clamp(retry, 0, 30);
  return std::min(rules.longest, Millis(rules.first.count() << doublings));
}

// How long to wait before it: evenly from nothing to the ceiling, as `random` says, or as long as the service
// asks for. None: no more retries.
inline std::optional<Millis> wait_before(const RetryRules& rules, int retry,
                                         std::optional<Millis> retry_after, std::uint64_t random) {
  if (retry >= rules.retries_max) return std::nullopt;
  const Millis own(static_cast<Millis::rep>(random % (ceiling(rules, retry).count() + 1u)));
  if (!retry_after) return own;
  if (*retry_after > rules.retry_after_max) return std::nullopt;
  return *retry_after + own;
}

}  // namespace snapgen::fetch
