#include "tools/engine/base/token_bucket.h"

#include <gtest/gtest.h>

namespace snapgen::core {
namespace {

TEST(TokenBucket, AllowsABurstAndThenOnePerSecond) {
  TokenBucket bucket(60, 10);
  for (int i = 0; i != 10; ++i) EXPECT_TRUE(bucket.take(1, 1000).ok) << i;
  const TokenBucket::TakeResult refused = bucket.take(1, 1000);
  EXPECT_FALSE(refused.ok);
  EXPECT_EQ(refused.retry_after_ms, 1000);
  EXPECT_FALSE(bucket.take(1, 1999).ok);
  EXPECT_TRUE(bucket.take(1, 2000).ok);
  EXPECT_FALSE(bucket.take(1, 2000).ok);
}

TEST(TokenBucket, ReportsASufficientWaitingTime) {
  TokenBucket bucket(7, 3);
  std::int64_t now = 5;
  for (int i = 0; i != 100; ++i) {
    const TokenBucket::TakeResult taken = bucket.take(2, now);
    if (taken.ok) continue;
    now += *taken.retry_after_ms;
    EXPECT_TRUE(bucket.take(2, now).ok) << i;
  }
}

TEST(TokenBucket, NeverStoresMoreThanABurst) {
  TokenBucket bucket(60, 10);
  EXPECT_TRUE(bucket.take(10, 0).ok);
  EXPECT_TRUE(bucket.take(10, 1'000'000'000'000).ok);
  EXPECT_FALSE(bucket.take(1, 1'000'000'000'000).ok);
}

TEST(TokenBucket, RejectsRequestsLargerThanABurst) {
  EXPECT_EQ(TokenBucket(60, 10).take(11, 0).retry_after_ms, std::nullopt);
}

TEST(TokenBucket, IgnoresAClockThatMovesBackwards) {
  TokenBucket bucket(60, 1);
  EXPECT_TRUE(bucket.take(1, 100'000).ok);
  EXPECT_FALSE(bucket.take(1, 0).ok);
  EXPECT_FALSE(bucket.take(1, 100'500).ok);
  EXPECT_TRUE(bucket.take(1, 101'000).ok);
}

}  // namespace
}  // namespace snapgen::core
