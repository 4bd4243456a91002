#include <set>

#include <gtest/gtest.h>

#include "runtime/fetch/service.h"
#include "tests/sim/random.h"

namespace snapgen::fetch {
namespace {

TEST(Backoff, TheLongestDelayDoublesUpToALimit) {
  const RetryRules rules{.retries_max = 100, .first_wait_max = Millis(100), .longest_wait_max = Millis(2000)};
  EXPECT_EQ(wait_max_before_retry(rules, 0), Millis(100));
  EXPECT_EQ(wait_max_before_retry(rules, 3), Millis(800));
  EXPECT_EQ(wait_max_before_retry(rules, 5), Millis(2000));
  EXPECT_EQ(wait_max_before_retry(rules, 1'000'000), Millis(2000));
}

TEST(Backoff, DelaysAreSpreadEvenlyFromZeroToTheLongest) {
  const RetryRules rules{.retries_max = 9, .first_wait_max = Millis(8), .longest_wait_max = Millis(64)};
  sim::Random random(1);
  for (int retry = 0; retry < 9; ++retry) {
    std::set<Millis> seen;
    for (int i = 0; i < 5000; ++i) {
      const std::optional<Millis> wait = wait_before_retry(rules, retry, {}, random.next());
      ASSERT_TRUE(wait);
      EXPECT_GE(*wait, Millis(0));
      EXPECT_LE(*wait, wait_max_before_retry(rules, retry));
      seen.insert(*wait);
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(wait_max_before_retry(rules, retry).count()) + 1)
        << "retry " << retry;
  }
}

TEST(Backoff, EndsAfterTheMaximumOfRetries) {
  EXPECT_TRUE(wait_before_retry({.retries_max = 2}, 1, {}, 7));
  EXPECT_FALSE(wait_before_retry({.retries_max = 2}, 2, {}, 7));
  EXPECT_FALSE(wait_before_retry({.retries_max = 0}, 0, {}, 7));
}

TEST(Backoff, HonoursRetryAfterUpToALimit) {
  const RetryRules rules{.retry_after_max = Millis(5000)};
  sim::Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const std::optional<Millis> wait = wait_before_retry(rules, 0, Millis(3000), random.next());
    ASSERT_TRUE(wait);
    EXPECT_GE(*wait, Millis(3000));
    EXPECT_LE(*wait, Millis(3000) + wait_max_before_retry(rules, 0));
  }
  EXPECT_TRUE(wait_before_retry(rules, 0, Millis(5000), 1));
  EXPECT_FALSE(wait_before_retry(rules, 0, Millis(5001), 1));
}

}  // namespace
}  // namespace snapgen::fetch
