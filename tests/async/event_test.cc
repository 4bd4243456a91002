#include "runtime/async/event.h"

#include <algorithm>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "tests/sim/sim_port.h"

namespace snapgen {
namespace {

using Notes = std::vector<std::string>;

class EventTest : public testing::Test {
 protected:
  sim::SimPort port{1};
  Loop loop{port};
};

Task<Unit> waiter(Event& event, std::stop_token stop, Notes& notes, std::string name) {
  Result<Unit> came = co_await event.wait(stop);
  notes.push_back(name + (came ? "" : " cancelled"));
  co_return came;
}

TEST_F(EventTest, WaitersResumeInTheOrderInWhichTheyWaited) {
  auto body = [](Loop& home) -> Task<Unit> {
    Notes notes;
    Event event(home);
    TaskScope scope(home);
    for (const char* name : {"a", "b", "c"}) scope.spawn(waiter(event, {}, notes, name));
    event.set();
    EXPECT_EQ(notes, Notes{}) << "no waiter is resumed within set()";
    co_await scope.join();
    const Notes expected = {"a", "b", "c"};
    EXPECT_EQ(notes, expected);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(EventTest, WaitingReturnsImmediatelyWhileTheEventIsSet) {
  auto body = [](Loop& home) -> Task<Unit> {
    Notes notes;
    Event event(home);
    TaskScope scope(home);
    event.set();
    EXPECT_TRUE(scope.spawn(waiter(event, {}, notes, "early")));
    event.reset();
    EXPECT_FALSE(event.is_set());
    EXPECT_FALSE(scope.spawn(waiter(event, {}, notes, "late")));
    event.set();
    co_await scope.join();
    const Notes expected = {"early", "late"};
    EXPECT_EQ(notes, expected);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(EventTest, AStopCancelsOnlyTheWaitersWithItsToken) {
  auto body = [](Loop& home) -> Task<Unit> {
    Notes notes;
    Event event(home);
    TaskScope scope(home);
    std::stop_source first;
    std::stop_source second;
    scope.spawn(waiter(event, first.get_token(), notes, "a"));
    scope.spawn(waiter(event, second.get_token(), notes, "b"));
    scope.spawn(waiter(event, first.get_token(), notes, "c"));
    first.request_stop();
    event.set();
    second.request_stop();  // The stop is too late: the event was set before.
    co_await scope.join();
    EXPECT_EQ(notes.size(), 3u);
    EXPECT_NE(std::find(notes.begin(), notes.end(), "a cancelled"), notes.end());
    EXPECT_NE(std::find(notes.begin(), notes.end(), "b"), notes.end());
    EXPECT_NE(std::find(notes.begin(), notes.end(), "c cancelled"), notes.end());
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(EventTest, AfterAStopAWaitSucceedsOnlyIfTheEventIsSet) {
  auto body = [](Loop& home) -> Task<Unit> {
    Notes notes;
    Event event(home);
    TaskScope scope(home);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(scope.spawn(waiter(event, stop.get_token(), notes, "before")));
    event.set();
    EXPECT_TRUE(scope.spawn(waiter(event, stop.get_token(), notes, "after")));
    const Notes expected = {"before cancelled", "after"};
    EXPECT_EQ(notes, expected);
    co_await scope.join();
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

#ifndef NDEBUG
TEST_F(EventTest, DestroyingAnEventWithWaitersIsABug) {
  Notes notes;
  EXPECT_DEATH(
      {
        Task<Unit> task = [](Loop& home, Notes& list) -> Task<Unit> {
          TaskScope scope(home);
          {
            Event event(home);
            scope.spawn(waiter(event, {}, list, "orphan"));
          }
          co_await scope.join();
          co_return Unit{};
        }(loop, notes);
        task.start();
      },
      "after its waiters went on");
}
#endif

}  // namespace
}  // namespace snapgen
