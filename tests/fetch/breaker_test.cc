#include "runtime/fetch/breaker.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/sim/random.h"

namespace snapgen::fetch {
namespace {

using State = CircuitBreaker::State;

constexpr BreakerLimits limits{.attempts_min = 4, .failed_percent = 50, .window_ms = 1000, .open_ms = 300};

void attempt(CircuitBreaker& breaker, bool good, std::int64_t now_ms) {
  const CircuitBreaker::Admission admission = breaker.admit(now_ms);
  ASSERT_TRUE(admission.permit);
  if (good) {
    breaker.report_success(*admission.permit, now_ms);
  } else {
    breaker.report_failure(*admission.permit, now_ms);
  }
}

CircuitBreaker opened_at(std::int64_t now_ms) {
  CircuitBreaker breaker(limits);
  for (int i = 0; i < 4; ++i) attempt(breaker, false, now_ms);
  return breaker;
}

TEST(CircuitBreaker, OpensWhenTooManyOfEnoughAttemptsFailed) {
  CircuitBreaker breaker(limits);
  for (int i = 0; i < 3; ++i) attempt(breaker, false, 10);
  EXPECT_EQ(breaker.state(10), State::closed);
  attempt(breaker, false, 10);
  EXPECT_EQ(breaker.state(10), State::open);
  const CircuitBreaker::Admission refused = breaker.admit(20);
  EXPECT_FALSE(refused.permit);
  EXPECT_EQ(refused.retry_after_ms, 290);
}

TEST(CircuitBreaker, RemainsClosedWhileMostAttemptsSucceed) {
  CircuitBreaker breaker(limits);
  for (int i = 0; i < 300; ++i) attempt(breaker, i % 3 != 1, i);
  EXPECT_EQ(breaker.state(300), State::closed);
}

TEST(CircuitBreaker, OldFailuresDoNotCount) {
  CircuitBreaker breaker(limits);
  for (int i = 0; i < 3; ++i) attempt(breaker, false, 0);
  attempt(breaker, false, 1000);
  EXPECT_EQ(breaker.state(1000), State::closed);
}

TEST(CircuitBreaker, WhenHalfOpenASingleAttemptDecides) {
  for (const bool good : {true, false}) {
    CircuitBreaker breaker = opened_at(0);
    EXPECT_EQ(breaker.state(299), State::open);
    EXPECT_EQ(breaker.state(300), State::half_open);
    const CircuitBreaker::Admission probe = breaker.admit(300);
    ASSERT_TRUE(probe.permit);
    const CircuitBreaker::Admission second = breaker.admit(301);
    EXPECT_FALSE(second.permit);
    EXPECT_EQ(second.retry_after_ms, 0);
    if (good) {
      breaker.report_success(*probe.permit, 310);
    } else {
      breaker.report_failure(*probe.permit, 310);
    }
    EXPECT_EQ(breaker.state(310), good ? State::closed : State::open);
    EXPECT_EQ(bool(breaker.admit(609).permit), good);
    EXPECT_TRUE(breaker.admit(610).permit);
  }
}

TEST(CircuitBreaker, AnAbandonedAttemptFreesTheNext) {
  CircuitBreaker breaker = opened_at(0);
  breaker.report_abandoned(*breaker.admit(300).permit);
  EXPECT_EQ(breaker.state(300), State::half_open);
  EXPECT_TRUE(breaker.admit(301).permit);
}

TEST(CircuitBreaker, IgnoresResultsOfAttemptsThatStartedBeforeItOpened) {
  CircuitBreaker breaker(limits);
  const CircuitBreaker::Admission early = breaker.admit(0);
  for (int i = 0; i < 4; ++i) attempt(breaker, false, 1);
  const CircuitBreaker::Admission probe = breaker.admit(400);
  breaker.report_success(*early.permit, 401);
  EXPECT_EQ(breaker.state(401), State::half_open);
  EXPECT_FALSE(breaker.admit(402).permit);
  breaker.report_success(*probe.permit, 403);
  EXPECT_EQ(breaker.state(403), State::closed);
}

// In any order of events: no attempt is admitted while the breaker is open, one at a time while it is half
// open, and the breaker never remains open forever.
TEST(CircuitBreaker, InvariantsHoldInTenThousandRandomRuns) {
  struct Attempt {
    CircuitBreaker::Permit permit;
    bool probe;
  };
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    sim::Random random(seed);
    CircuitBreaker breaker(limits);
    std::vector<Attempt> under_way;
    std::int64_t now_ms = 0;
    bool probing = false;
    for (int step = 0; step < 200; ++step) {
      now_ms += static_cast<std::int64_t>(random.below(60));
      const State before = breaker.state(now_ms);
      if (under_way.empty() || random.one_in(2)) {
        const CircuitBreaker::Admission admission = breaker.admit(now_ms);
        const bool expected = before == State::closed || (before == State::half_open && !probing);
        ASSERT_EQ(bool(admission.permit), expected) << seed;
        ASSERT_EQ(admission.retry_after_ms > 0, before == State::open) << seed;
        if (!admission.permit) continue;
        under_way.push_back({*admission.permit, before == State::half_open});
        probing = probing || before == State::half_open;
        continue;
      }
      const std::size_t which = random.below(under_way.size());
      const Attempt ended = under_way[which];
      under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
      if (ended.probe) probing = false;
      switch (random.below(3)) {
        case 0: breaker.report_success(ended.permit, now_ms); break;
        case 1: breaker.report_failure(ended.permit, now_ms); break;
        default: breaker.report_abandoned(ended.permit);
      }
    }
    for (const Attempt& each : under_way) breaker.report_abandoned(each.permit);
    ASSERT_TRUE(breaker.admit(now_ms + limits.open_ms).permit) << seed;
  }
}

}  // namespace
}  // namespace snapgen::fetch
