#include "runtime/fetch/backoff.h"

#include <set>

#include <gtest/gtest.h>

#include "tests/sim/random.h"

namespace snapgen::fetch {
namespace {

TEST(Backoff, TheLongestDelayDoublesUpToALimit) {
  const RetryRules rules{.retries_max = 100, .first = Millis(100), .longest = Millis(2000)};
  EXPECT_EQ(ceiling(rules, 0), Millis(100));
  EXPECT_EQ(ceiling(rules, 3), Millis(800));
  EXPECT_EQ(ceiling(rules, 5), Millis(2000));
  EXPECT_EQ(ceiling(rules, 1'000'000), Millis(2000));
}

TEST(Backoff, DelaysAreSpreadEvenlyFromZeroToTheLongest) {
  const RetryRules rules{.retries_max = 9, .first = Millis(8), .longest = Millis(64)};
  sim::Random random(1);
  for (int retry = 0; retry < 9; ++retry) {
    std::set<Millis> seen;
    for (int i = 0; i < 5000; ++i) {
      const std::optional<Millis> wait = wait_before(rules, retry, {}, random.next());
      ASSERT_TRUE(wait);
      EXPECT_GE(*wait, Millis(0));
      EXPECT_LE(*wait, ceiling(rules, retry));
      seen.insert(*wait);
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(ceiling(rules, retry).count()) + 1) << "retry " << retry;
  }
}

TEST(Backoff, EndsAfterTheMaximumOfRetries) {
  EXPECT_TRUE(wait_before({.retries_max = 2}, 1, {}, 7));
  EXPECT_FALSE(wait_before({.retries_max = 2}, 2, {}, 7));
  EXPECT_FALSE(wait_before({.retries_max = 0}, 0, {}, 7));
}

TEST(Backoff, HonoursRetryAfterUpToALimit) {
  const RetryRules rules{.retry_after_max = Millis(5000)};
  sim::Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const std::optional<Millis> wait = wait_before(rules, 0, Millis(3000), random.next());
    ASSERT_TRUE(wait);
    EXPECT_GE(*wait, Millis(3000));
    EXPECT_LE(*wait, Millis(3000) + ceiling(rules, 0));
  }
  EXPECT_TRUE(wait_before(rules, 0, Millis(5000), 1));
  EXPECT_FALSE(wait_before(rules, 0, Millis(5001), 1));
}

}  // namespace
}  // namespace snapgen::fetch
