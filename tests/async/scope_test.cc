#include "runtime/async/scope.h"

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "tests/sim/sim_port.h"

namespace snapgen {
namespace {

using Notes = std::vector<std::string>;

class ScopeTest : public testing::Test {
 protected:
  sim::SimPort port{1};
  Loop loop{port};
};

Task<Unit> note(Notes& notes, std::string text) {
  notes.push_back(std::move(text));
  co_return Unit{};
}

Task<Unit> wait_and_note(Event& event, std::stop_token stop, Notes& notes, std::string text) {
  Result<Unit> came = co_await event.wait(stop);
  notes.push_back(text + (came ? " came" : " was cancelled"));
  co_return came;
}

TEST_F(ScopeTest, ATaskThatDoesNotWaitFinishesWithinSpawn) {
  auto body = [](Loop& home) -> Task<Unit> {
    Notes notes;
    TaskScope scope(home);
    Task<Unit> task = note(notes, "done");
    EXPECT_TRUE(scope.spawn(std::move(task)));
    EXPECT_EQ(notes, Notes{"done"});
    EXPECT_EQ(scope.size(), 0u);
    co_await scope.join();
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(ScopeTest, JoinWaitsUntilEveryTaskHasFinished) {
  auto body = [](Loop& home) -> Task<Unit> {
    Notes notes;
    TaskScope scope(home);
    auto sleeper = [](Loop& inner, Notes& list, int duration_ms) -> Task<Unit> {
      Result<Unit> slept = co_await Sleep(inner, std::stop_token(), Millis(duration_ms));
      list.push_back(std::to_string(duration_ms));
      co_return slept;
    };
    for (int duration_ms : {30, 10, 20}) EXPECT_FALSE(scope.spawn(sleeper(home, notes, duration_ms)));
    EXPECT_EQ(scope.size(), 3u);
    co_await scope.join();
    const Notes expected = {"10", "20", "30"};
    EXPECT_EQ(notes, expected);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(ScopeTest, JoiningAnEmptyScopeDoesNotWait) {
  auto body = [](Loop& home) -> Task<Unit> {
    TaskScope scope(home);
    co_await scope.join();
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

// A task that ends some time after the stop was requested.
Task<Unit> ends_slowly(Loop& loop, std::stop_token stop, Notes& notes) {
  Result<Unit> slept = co_await Sleep(loop, stop, Millis(1000));
  notes.push_back(slept ? "slept" : "asked");
  Result<Unit> tidied = co_await Sleep(loop, std::stop_token(), Millis(10));
  notes.push_back("ended");
  co_return tidied;
}

TEST_F(ScopeTest, CancellingRequestsAStopAndJoiningWaits) {
  auto body = [](Loop& home) -> Task<Unit> {
    Notes notes;
    TaskScope scope(home);
    scope.spawn(ends_slowly(home, scope.stop(), notes));
    scope.cancel();
    EXPECT_EQ(notes, Notes{});
    EXPECT_EQ(scope.size(), 1u);
    co_await scope.join();
    const Notes expected = {"asked", "ended"};
    EXPECT_EQ(notes, expected);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
  EXPECT_LT(port.now(), Millis(1000));
}

TEST_F(ScopeTest, StoppingTheOuterScopeStopsInnerOnesButNotTheReverse) {
  auto body = [](Loop& home) -> Task<Unit> {
    Notes notes;
    Event event(home);
    TaskScope outer(home);
    TaskScope inner(home, outer.stop());
    TaskScope sibling(home, outer.stop());
    outer.spawn(wait_and_note(event, outer.stop(), notes, "outer"));
    inner.spawn(wait_and_note(event, inner.stop(), notes, "inner"));
    sibling.spawn(wait_and_note(event, sibling.stop(), notes, "sibling"));
    inner.cancel();
    co_await inner.join();
    EXPECT_EQ(notes, Notes{"inner was cancelled"});
    outer.cancel();
    co_await sibling.join();
    co_await outer.join();
    EXPECT_EQ(notes.size(), 3u);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(ScopeTest, AScopeBelowAStoppedOneStartsStopped) {
  std::stop_source stopped;
  stopped.request_stop();
  TaskScope scope(loop, stopped.get_token());
  EXPECT_TRUE(scope.stop().stop_requested());
}

TEST_F(ScopeTest, ATaskMaySpawnIntoItsScopeWhileItIsJoined) {
  auto body = [](Loop& home) -> Task<Unit> {
    Notes notes;
    TaskScope scope(home);
    auto parent = [](Loop& inner, TaskScope& own, Notes& list) -> Task<Unit> {
      Result<Unit> slept = co_await Sleep(inner, std::stop_token(), Millis(1));
      own.spawn(note(list, "in place"));
      own.spawn(ends_slowly(inner, own.stop(), list));
      co_return slept;
    };
    scope.spawn(parent(home, scope, notes));
    co_await scope.join();
    const Notes expected = {"in place", "slept", "ended"};
    EXPECT_EQ(notes, expected);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(ScopeTest, ResourcesOfATaskAreFreedBeforeJoinReturns) {
  auto body = [](Loop& home) -> Task<Unit> {
    bool gone = false;
    struct Last {
      explicit Last(bool& flag) : flag(flag) {}
      ~Last() { flag = true; }
      bool& flag;
    };
    TaskScope scope(home);
    auto task = [](Loop& inner, bool& flag) -> Task<Unit> {
      Last last(flag);
      Result<Unit> slept = co_await Sleep(inner, std::stop_token(), Millis(1));
      Result<Unit> failed = Error(ErrorCode::internal, "ends with its locals alive");
      co_await failed;
      co_return slept;
    };
    scope.spawn(task(home, gone));
    EXPECT_FALSE(gone);
    co_await scope.join();
    EXPECT_TRUE(gone);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

#ifndef NDEBUG
TEST_F(ScopeTest, DestroyingAScopeThatWasNotJoinedIsABug) {
  Notes notes;
  Event event(loop);
  EXPECT_DEATH(
      {
        TaskScope scope(loop);
        scope.spawn(wait_and_note(event, {}, notes, "never"));
      },
      "join the scope before leaving it");
}
#endif

}  // namespace
}  // namespace snapgen
