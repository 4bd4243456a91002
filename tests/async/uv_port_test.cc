#include "runtime/uv/uv_port.h"

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "runtime/uv/alarm_heap.h"
#include "tests/sim/random.h"

namespace snapgen {
namespace {

class UvPortTest : public testing::Test {
 protected:
  std::unique_ptr<UvPort> port = std::move(*UvPort::create());
  Loop loop{*port};
};

Task<Unit> sleep_and_note(Loop& loop, std::stop_token stop, int duration_ms, std::vector<int>& notes) {
  Result<Unit> slept = co_await Sleep(loop, stop, Millis(duration_ms));
  notes.push_back(slept ? duration_ms : -duration_ms);
  co_return slept;
}

TEST_F(UvPortTest, SleepersWakeInTheOrderOfTheirTimes) {
  auto body = [](Loop& home) -> Task<Unit> {
    std::vector<int> notes;
    TaskScope scope(home);
    for (int duration_ms : {12, 3, 9, 0, 6}) scope.spawn(sleep_and_note(home, {}, duration_ms, notes));
    co_await scope.join();
    const std::vector<int> expected = {0, 3, 6, 9, 12};
    EXPECT_EQ(notes, expected);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

Task<Unit> sleep_in_full(Loop& loop, int duration_ms) {
  auto begun = std::chrono::steady_clock::now();
  Result<Unit> slept = co_await Sleep(loop, std::stop_token(), Millis(duration_ms));
  EXPECT_GE(std::chrono::steady_clock::now() - begun, Millis(duration_ms));
  co_return slept;
}

TEST_F(UvPortTest, ASleepNeverEndsEarly) {
  auto body = [](Loop& home) -> Task<Unit> {
    TaskScope scope(home);
    for (int i = 0; i < 200; ++i) {
      scope.spawn(sleep_in_full(home, 1));
      // The next sleep starts at another fraction of a millisecond, and while other alarms fire.
      auto next = std::chrono::steady_clock::now() + std::chrono::microseconds(70);
      while (std::chrono::steady_clock::now() < next) {
      }
      Result<Unit> rung = co_await Sleep(home, std::stop_token(), Millis(0));
      static_cast<void>(rung);
    }
    co_await scope.join();
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(UvPortTest, AStopEndsASleepImmediatelyAndLaterSleepsStillWork) {
  auto body = [](Loop& home) -> Task<Unit> {
    std::vector<int> notes;
    TaskScope scope(home);
    for (int duration_ms : {3'600'000, 7'200'000}) {
      scope.spawn(sleep_and_note(home, scope.stop(), duration_ms, notes));
    }
    scope.cancel();
    co_await scope.join();
    EXPECT_EQ(notes.size(), 2u);
    for (int note : notes) EXPECT_LT(note, 0);
    Result<Unit> slept = co_await Sleep(home, std::stop_token(), Millis(1));
    EXPECT_TRUE(slept);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

std::ptrdiff_t threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

TEST(UvPortProcessTest, ThePoolStartsWithTheFirstJob) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto run = [] {
    std::ptrdiff_t before = threads();
    std::unique_ptr<UvPort> port = std::move(*UvPort::create());
    Loop loop(*port);
    std::vector<int> notes;
    bool slept = bool(loop.run(sleep_and_note(loop, {}, 1, notes)));
    bool quiet = threads() == before;
    auto work = [](Loop& home) -> Task<Unit> {
      auto job = []() -> Result<Unit> { return Unit{}; };
      Result<Unit> done = co_await Offload(home, std::stop_token(), job);
      co_return done;
    };
    bool done = bool(loop.run(work(loop)));
    std::_Exit(slept && quiet && done && threads() > before ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

Task<Unit> raise_and_wait(Loop& loop, std::stop_token stop, int signal, int times) {
  Event never(loop);
  std::raise(signal);
  Result<Unit> came = co_await never.wait(stop);
  for (int i = 1; i < times; ++i) std::raise(signal);
  co_return came;
}

// A signal reaches the whole process, so each test runs in a child process.
void stop_by(int signal, int times) {
  std::unique_ptr<UvPort> port = std::move(*UvPort::create());
  Loop loop(*port);
  std::stop_source stop;
  if (!port->stop_on_signals(stop)) std::_Exit(2);
  Result<Unit> result = loop.run(raise_and_wait(loop, stop.get_token(), signal, times));
  std::_Exit(!result && result.error().code == ErrorCode::cancelled ? 0 : 1);
}

TEST(UvPortProcessTest, ASignalRequestsAStop) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (int signal : {SIGTERM, SIGINT, SIGHUP}) {
    EXPECT_EXIT(stop_by(signal, 1), testing::ExitedWithCode(0), "") << signal;
  }
}

TEST(UvPortProcessTest, ASecondSignalEndsTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(stop_by(SIGTERM, 2), testing::KilledBySignal(SIGTERM), "");
}

struct Bell final : Alarm {
  void ring() override {}
};

TEST(AlarmHeapTest, AlarmsFireInOrderAfterAnySetsAndCancellations) {
  sim::Random random(7);
  std::vector<Bell> bells(200);
  AlarmHeap heap;
  std::multimap<std::uint64_t, Alarm*> expected;
  for (int step = 0; step < 20'000; ++step) {
    Bell& bell = bells[random.below(bells.size())];
    if (!bell.is_set()) {
      bell.due_ms = random.below(1000);
      heap.insert(bell);
      expected.emplace(bell.due_ms, &bell);
    } else {
      heap.remove(bell);
      auto [from, to] = expected.equal_range(bell.due_ms);
      for (; from->second != &bell; ++from) ASSERT_NE(from, to);
      expected.erase(from);
    }
    ASSERT_EQ(heap.empty(), expected.empty());
    if (heap.empty()) continue;
    ASSERT_EQ(heap.first().due_ms, expected.begin()->first);
  }
}

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0); }
  Pipe(Pipe&&) = delete;
  ~Pipe() {
    ::close(ends[0]);
    if (ends[1] >= 0) ::close(ends[1]);
  }
  int ends[2] = {-1, -1};
};

TEST_F(UvPortTest, AWaitForADescriptorEndsWhenItIsReadable) {
  auto body = [](Loop& home) -> Task<Unit> {
    Pipe pipe;
    bool came = false;
    auto wait = [](Loop& here, int fd, bool& out) -> Task<Unit> {
      Result<Unit> readable = co_await WaitReadable(here, std::stop_token(), fd);
      out = static_cast<bool>(readable);
      co_return readable;
    };
    TaskScope scope(home);
    scope.spawn(wait(home, pipe.ends[0], came));
    EXPECT_FALSE(came);
    EXPECT_EQ(::write(pipe.ends[1], "x", 1), 1);
    co_await scope.join();
    EXPECT_TRUE(came);
    // The byte has not been read, so this wait ends immediately.
    Task<Unit> again = wait(home, pipe.ends[0], came);
    Result<Unit> second = co_await std::move(again);
    EXPECT_TRUE(second);
    char byte = 0;
    EXPECT_EQ(::read(pipe.ends[0], &byte, 1), 1);
    ::close(std::exchange(pipe.ends[1], -1));
    Task<Unit> end = wait(home, pipe.ends[0], came);
    Result<Unit> third = co_await std::move(end);
    EXPECT_TRUE(third) << "the other end is closed, which a read reports";
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(UvPortTest, AStopEndsTheWaitForADescriptor) {
  auto body = [](Loop& home) -> Task<Unit> {
    Pipe pipe;
    std::stop_source stop;
    auto wait = [](Loop& here, std::stop_token token, int fd) -> Task<Unit> {
      Result<Unit> readable = co_await WaitReadable(here, std::move(token), fd);
      EXPECT_FALSE(readable);
      EXPECT_EQ(readable.error().code, ErrorCode::cancelled);
      co_return Unit{};
    };
    TaskScope scope(home);
    scope.spawn(wait(home, stop.get_token(), pipe.ends[0]));
    stop.request_stop();
    co_await scope.join();
    Task<Unit> late = wait(home, stop.get_token(), pipe.ends[0]);
    Result<Unit> waited = co_await std::move(late);
    EXPECT_TRUE(waited);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(UvPortTest, RegularFilesCannotBeWaitedFor) {
  auto body = [](Loop& home) -> Task<Unit> {
    std::FILE* file = std::tmpfile();
    Result<Unit> readable = co_await WaitReadable(home, std::stop_token(), ::fileno(file));
    EXPECT_FALSE(readable);
    EXPECT_EQ(readable.error().code, ErrorCode::unavailable);
    std::fclose(file);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

}  // namespace
}  // namespace snapgen
