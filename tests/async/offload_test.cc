#include "runtime/async/offload.h"

#include <atomic>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "runtime/uv/uv_port.h"

namespace snapgen {
namespace {

// The number of libuv's threads. Further jobs wait in its queue.
constexpr int workers = 4;

class OffloadTest : public testing::Test {
 protected:
  std::unique_ptr<UvPort> port = std::move(*UvPort::create());
  Loop loop{*port};
};

TEST_F(OffloadTest, WorkRunsOnAnotherThreadAndReturnsItsResult) {
  auto body = [](Loop& home) -> Task<Unit> {
    std::thread::id here = std::this_thread::get_id();
    std::thread::id there;
    auto job = [&]() -> Result<std::string> {
      there = std::this_thread::get_id();
      return std::string(1000, 'x');
    };
    Result<std::string> text = co_await Offload(home, std::stop_token(), job);
    EXPECT_EQ(*text, std::string(1000, 'x'));
    EXPECT_NE(there, here);
    EXPECT_EQ(std::this_thread::get_id(), here);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(OffloadTest, ErrorsAndExceptionsOfTheWorkAreReturnedAsErrors) {
  auto body = [](Loop& home) -> Task<Unit> {
    auto fails = []() -> Result<int> { return Error(ErrorCode::too_large, "too large"); };
    Result<int> failed = co_await Offload(home, std::stop_token(), fails);
    EXPECT_EQ(failed.error().code, ErrorCode::too_large);
    auto throws = []() -> Result<int> { throw std::runtime_error("disk on fire"); };
    Result<int> thrown = co_await Offload(home, std::stop_token(), throws);
    EXPECT_EQ(thrown.error().code, ErrorCode::internal);
    EXPECT_EQ(thrown.error().cause, "disk on fire");
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(OffloadTest, AfterAStopTheWorkDoesNotStart) {
  auto body = [](Loop& home) -> Task<Unit> {
    std::stop_source stop;
    stop.request_stop();
    bool ran = false;
    auto job = [&]() -> Result<int> {
      ran = true;
      return 1;
    };
    std::stop_token token = stop.get_token();
    Result<int> result = co_await Offload(home, token, job);
    EXPECT_EQ(result.error().code, ErrorCode::cancelled);
    EXPECT_FALSE(ran);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

struct Pool {
  std::counting_semaphore<> begun{0};
  std::counting_semaphore<> may_end{0};
  std::atomic<int> ran = 0;
};

Task<Unit> blocked(Loop& loop, Pool& pool) {
  auto job = [&]() -> Result<Unit> {
    pool.begun.release();
    pool.may_end.acquire();
    return Unit{};
  };
  Result<Unit> ended = co_await Offload(loop, std::stop_token(), job);
  co_return ended;
}

Task<Unit> queued(Loop& loop, std::stop_token stop, Pool& pool, std::vector<ErrorCode>& errors) {
  auto job = [&]() -> Result<Unit> {
    ++pool.ran;
    return Unit{};
  };
  Result<Unit> ended = co_await Offload(loop, stop, job);
  if (!ended) errors.push_back(ended.error().code);
  co_return ended;
}

TEST_F(OffloadTest, AStopCancelsOnlyItsOwnQueuedWork) {
  auto body = [](Loop& home) -> Task<Unit> {
    Pool pool;
    std::vector<ErrorCode> errors;
    TaskScope busy(home);
    for (int i = 0; i < workers; ++i) busy.spawn(blocked(home, pool));
    for (int i = 0; i < workers; ++i) pool.begun.acquire();
    TaskScope cancelled(home);
    TaskScope patient(home);
    for (int i = 0; i < 3; ++i) cancelled.spawn(queued(home, cancelled.stop(), pool, errors));
    for (int i = 0; i < 2; ++i) patient.spawn(queued(home, patient.stop(), pool, errors));
    cancelled.cancel();
    co_await cancelled.join();
    EXPECT_EQ(errors, std::vector<ErrorCode>(3, ErrorCode::cancelled));
    EXPECT_EQ(pool.ran, 0);
    pool.may_end.release(workers);
    co_await busy.join();
    co_await patient.join();
    EXPECT_EQ(pool.ran, 2);
    EXPECT_EQ(errors.size(), 3u);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

Task<Unit> looks_at_its_token(Loop& loop, std::stop_token stop, Pool& pool) {
  auto job = [&]() -> Result<Unit> {
    pool.begun.release();
    while (!stop.stop_requested()) std::this_thread::yield();
    ++pool.ran;
    return Error(ErrorCode::cancelled, "seen in the work");
  };
  Result<Unit> ended = co_await Offload(loop, stop, job);
  EXPECT_EQ(ended.error().message, "seen in the work");
  co_return ended;
}

TEST_F(OffloadTest, RunningWorkCanReadTheStopAndIsAwaited) {
  auto body = [](Loop& home) -> Task<Unit> {
    Pool pool;
    TaskScope scope(home);
    scope.spawn(looks_at_its_token(home, scope.stop(), pool));
    pool.begun.acquire();
    scope.cancel();
    co_await scope.join();
    EXPECT_EQ(pool.ran, 1);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

}  // namespace
}  // namespace snapgen
