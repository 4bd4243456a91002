// Work that is divided among threads: every part is done exactly once, whichever thread does it.
#include "tools/engine/base/parallel.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>

#include "tests/engine/no_threads.h"

namespace snapgen::core {
namespace {

std::vector<int> times_done(std::size_t count, std::size_t block) {
  std::vector<std::atomic<int>> times(count);
  in_parallel(count, block, [&](std::size_t begin, std::size_t end) {
    EXPECT_LT(begin, end);
    for (std::size_t i = begin; i < end; ++i) ++times[i];
  });
  return {times.begin(), times.end()};
}

// This test must be the first, because it needs a process without helper threads, which later tests create.
TEST(Parallel, RunsOnTheCallerWithoutOtherThreads) {
  const std::optional<bool> all = without_threads([] {
    std::size_t done = 0;
    const auto count = [&](std::size_t begin, std::size_t end) { done += end - begin; };
    in_parallel(100, 1, count);
    in_parallel_on_disk(100, 1, count);
    run_both([&] { ++done; }, [&] { ++done; });
    return done == 202;
  });
  if (!all) GTEST_SKIP() << "this system does not allow a seccomp filter";
  EXPECT_TRUE(*all);
}

TEST(Parallel, RunsEachPartOnce) {
  for (const std::size_t count : {0, 1, 31, 32, 33, 10'000})
    EXPECT_EQ(times_done(count, 32), std::vector<int>(count, 1)) << count;
}

TEST(Parallel, ASmallCountRunsOnTheCallingThread) {
  std::thread::id there;
  in_parallel(32, 32, [&](std::size_t, std::size_t) { there = std::this_thread::get_id(); });
  EXPECT_EQ(there, std::this_thread::get_id());
}

TEST(Parallel, ParallelWorkMayStartParallelWork) {
  std::atomic<int> done = 0;
  in_parallel(64, 1, [&](std::size_t, std::size_t) {
    in_parallel(64, 1, [&](std::size_t, std::size_t) { ++done; });
  });
  EXPECT_EQ(done, 64 * 64);
}

TEST(Parallel, SeveralThreadsMayCallItConcurrently) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 50; ++round) EXPECT_EQ(times_done(200, 3), std::vector<int>(200, 1));
    });
  }
}

// Each part waits for the other, so a single thread would wait forever.
TEST(Parallel, TwoFunctionsRunOnTwoThreads) {
  if (processor_count() < 2) GTEST_SKIP() << "one processor";
  std::mutex mutex;
  std::condition_variable arrived;
  int there = 0;
  const auto meet = [&] {
    std::unique_lock lock(mutex);
    ++there;
    arrived.notify_all();
    arrived.wait(lock, [&] { return there == 2; });
  };
  run_both(meet, meet);
  EXPECT_EQ(there, 2);
}

TEST(Parallel, RunsEachPartOnceOnOneProcessor) {
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(times_done(1000, 1), std::vector<int>(1000, 1));
  ASSERT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
}

// A helper thread takes the caller's CPU affinity when it starts to run.
TEST(Parallel, AHelperHasTheCpuAffinityOfItsCaller) {
  cpu_set_t mine;
  ASSERT_EQ(::sched_getaffinity(0, sizeof mine, &mine), 0);
  for (int round = 0; round < 20; ++round) {
    in_parallel(200, 1, [&](std::size_t, std::size_t) {
      cpu_set_t here;
      EXPECT_EQ(::sched_getaffinity(0, sizeof here, &here), 0);
      EXPECT_TRUE(CPU_EQUAL(&here, &mine));
    });
  }
}

TEST(Parallel, RunsBothFunctions) {
  std::atomic<int> one = 0;
  std::atomic<int> other = 0;
  run_both([&] { ++one; }, [&] { ++other; });
  EXPECT_EQ(one, 1);
  EXPECT_EQ(other, 1);
}

TEST(Parallel, PrefetchesEachPartOnce) {
  std::vector<std::atomic<int>> times(100);
  in_parallel_on_disk(times.size(), 3, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ++times[i];
  });
  for (const std::atomic<int>& each : times) EXPECT_EQ(each, 1);
}

}  // namespace
}  // namespace snapgen::core
