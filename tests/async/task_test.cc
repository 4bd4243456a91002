#include "runtime/async/task.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "tests/sim/sim_port.h"

namespace snapgen {
namespace {

class TaskTest : public testing::Test {
 protected:
  sim::SimPort port{1};
  Loop loop{port};
};

// Counts how many of its copies are alive.
struct Guest {
  explicit Guest(int& count) : count(count) { ++count; }
  Guest(const Guest& other) : count(other.count) { ++count; }
  ~Guest() { --count; }
  int& count;
};

Task<int> twice(int value) { co_return 2 * value; }

Task<int> fails() { co_return Error(ErrorCode::not_found, "there is no such thing"); }

Task<int> throws() {
  throw std::runtime_error("disk on fire");
  co_return 0;
}

TEST_F(TaskTest, AwaitingATaskYieldsItsResult) {
  auto sum = []() -> Task<int> {
    Result<int> six = co_await twice(3);
    Result<int> eight = co_await twice(4);
    co_return *six + *eight;
  };
  Result<int> result = loop.run(sum());
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, 14);
}

TEST_F(TaskTest, AwaitingAResultYieldsItsValue) {
  auto half = []() -> Task<int> {
    Result<int> eight = co_await twice(4);
    int value = co_await eight;
    co_return value / 2;
  };
  Result<int> result = loop.run(half());
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, 4);
}

Task<std::string> stops_at_an_error(int& guests, bool& went_on) {
  Guest guest(guests);
  Result<int> failed = co_await fails();
  int value = co_await failed;
  went_on = true;
  co_return std::to_string(value);
}

TEST_F(TaskTest, AwaitingAFailedResultEndsTheTaskWithItsError) {
  int guests = 0;
  bool went_on = false;
  Result<std::string> result = loop.run(stops_at_an_error(guests, went_on));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::not_found);
  EXPECT_EQ(result.error().message, "there is no such thing");
  EXPECT_FALSE(went_on);
  EXPECT_EQ(guests, 0);
}

Task<int> fails_below(int depth) {
  if (depth == 0) {
    Result<int> failed = co_await fails();
    co_return failed;
  }
  Result<int> below = co_await fails_below(depth - 1);
  int value = co_await below;
  co_return value + 1;
}

TEST_F(TaskTest, AnErrorPropagatesThroughEveryCaller) {
  Result<int> result = loop.run(fails_below(100));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::not_found);
}

TEST_F(TaskTest, AnExceptionBecomesAnInternalErrorWhoseCauseIsOnlyLogged) {
  Result<int> result = loop.run(throws());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::internal);
  EXPECT_EQ(result.error().message.find("disk"), std::string::npos);
  EXPECT_EQ(result.error().cause, "disk on fire");
}

TEST_F(TaskTest, AnExceptionAfterAWaitBecomesAnInternalErrorToo) {
  auto late = [](Loop& home) -> Task<int> {
    Result<Unit> slept = co_await Sleep(home, std::stop_token(), Millis(5));
    static_cast<void>(slept);
    Result<int> thrown = co_await throws();
    int value = co_await thrown;
    throw std::logic_error("not reached");
    co_return value;
  };
  Result<int> result = loop.run(late(loop));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().cause, "disk on fire");
}

TEST_F(TaskTest, ATaskThatIsNotAwaitedNeverRunsAndFreesItsArguments) {
  int guests = 0;
  bool ran = false;
  auto never = [](Guest, bool& flag) -> Task<Unit> {
    flag = true;
    co_return Unit{};
  };
  {
    Task<Unit> task = never(Guest(guests), ran);
    EXPECT_EQ(guests, 1);
  }
  EXPECT_FALSE(ran);
  EXPECT_EQ(guests, 0);
}

TEST_F(TaskTest, AResultNeedsOnlyAMoveConstructor) {
  auto give = []() -> Task<std::unique_ptr<int>> { co_return std::make_unique<int>(7); };
  Result<std::unique_ptr<int>> result = loop.run(give());
  ASSERT_TRUE(result);
  EXPECT_EQ(**result, 7);
}

Task<int> one_after_a_sleep(Loop& loop) {
  Result<Unit> slept = co_await Sleep(loop, std::stop_token(), Millis(5));
  co_return slept ? 1 : 0;
}

TEST_F(TaskTest, ATaskCanBeStartedNowAndAwaitedLater) {
  auto both = [](Loop& home) -> Task<int> {
    Task<int> waits = one_after_a_sleep(home);
    Task<int> ends = twice(4);
    EXPECT_FALSE(waits.start());
    EXPECT_TRUE(ends.start());
    Result<int> one = co_await std::move(waits);
    Result<int> eight = co_await std::move(ends);
    co_return *one + *eight;
  };
  Result<int> result = loop.run(both(loop));
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, 9);
}

std::uintptr_t stack_here() { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); }

Task<std::uintptr_t> stack_of_a_child() { co_return stack_here(); }

Task<std::uintptr_t> stack_used_by_a_million_children() {
  Result<std::uintptr_t> first = co_await stack_of_a_child();
  Result<std::uintptr_t> last = first;
  for (int i = 0; i < 1'000'000; ++i) {
    last = co_await stack_of_a_child();
  }
  co_return *first - *last;
}

TEST_F(TaskTest, AMillionChildrenThatFinishInPlaceUseNoStack) {
  Result<std::uintptr_t> used = loop.run(stack_used_by_a_million_children());
  ASSERT_TRUE(used);
  EXPECT_EQ(*used, 0u);
}

Task<std::uintptr_t> stack_after_a_wait(Loop& loop) {
  Result<Unit> slept = co_await Sleep(loop, std::stop_token(), Millis(1));
  static_cast<void>(slept);
  co_return stack_here();
}

Task<std::uintptr_t> stack_used_by_children_that_wait(Loop& loop) {
  Result<std::uintptr_t> first = co_await stack_after_a_wait(loop);
  Result<std::uintptr_t> last = first;
  for (int i = 0; i < 20'000; ++i) {
    last = co_await stack_after_a_wait(loop);
  }
  co_return *first - *last;
}

TEST_F(TaskTest, ChildrenThatWaitUseNoStackEither) {
  Result<std::uintptr_t> used = loop.run(stack_used_by_children_that_wait(loop));
  ASSERT_TRUE(used);
  EXPECT_EQ(*used, 0u);
}

#ifndef NDEBUG
TEST_F(TaskTest, DestroyingARunningTaskIsABug) {
  EXPECT_DEATH(
      {
        Task<int> task = one_after_a_sleep(loop);
        task.start();
      },
      "task destroyed while running");
}
#endif

}  // namespace
}  // namespace snapgen
