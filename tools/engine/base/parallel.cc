#include "tools/engine/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <pthread.h>
#include <sched.h>

#include "tools/engine/base/thread.h"

namespace snapgen::core {
namespace {

constexpr std::size_t computing_threads_max = 8;
constexpr std::size_t waiting_threads = 16;
constexpr std::chrono::microseconds awake_max(500);
// Less than the time after which ServedTrees::release_unused_until_stop() frees memory.
constexpr std::chrono::seconds idle_max(2);

// SharedJob divides [0, count) into blocks; each block is taken by one thread.
class SharedJob {
 public:
  using Work = std::function<void(std::size_t, std::size_t)>;

  SharedJob(std::size_t count, std::size_t block, const Work& work)
      : count_(count), block_(block), work_(work) {}
  SharedJob(SharedJob&&) = delete;

  std::size_t blocks() const { return (count_ + block_ - 1) / block_; }

  // Works until no block is left to take.
  void work() {
    while (true) {
      const std::size_t begin = next_.fetch_add(block_, std::memory_order_relaxed);
      if (begin >= count_) return;
      work_(begin, std::min(begin + block_, count_));
    }
  }

 private:
  const std::size_t count_;
  const std::size_t block_;
  const Work& work_;
  std::atomic<std::size_t> next_ = 0;
};

// The helper threads of this process. A thread is created for a job and ends after some idle time.
class Helpers {
 public:
  static Helpers& of_process() {
    static auto* const helpers = new Helpers;
    return *helpers;
  }

  // Runs the job on the calling thread and on up to `wanted` helpers that are free.
  void share(SharedJob& job, std::size_t wanted) {
    Posted posted{.job = job, .wanted = wanted};
    posted.is_bound = ::sched_getaffinity(0, sizeof posted.allowed, &posted.allowed) == 0;
    for (const std::shared_ptr<Helper>& helper : post(posted)) call(*helper, posted);
    job.work();
    {
      const std::lock_guard lock(mutex_);
      std::erase(posted_, &posted);
    }
    // Spin first: most helpers have little left to do, and a sleeping thread takes long to wake (see call()).
    const auto until = std::chrono::steady_clock::now() + awake_max;
    while (posted.working > 0 && std::chrono::steady_clock::now() < until) {
    }
    std::unique_lock lock(mutex_);
    posted_left_.wait(lock, [&] { return posted.working == 0; });
  }

 private:
  struct Posted {
    SharedJob& job;
    std::size_t wanted;                    // Helpers that may still join.
    std::atomic<std::size_t> working = 0;  // Helpers at work; changes under mutex_.
    bool is_bound = false;                 // True if `allowed` has the processors that the caller may run on.
    cpu_set_t allowed{};
  };

  struct Helper {
    std::condition_variable called;
    bool is_idle = false;    // The helper is in idle_.
    bool is_called = false;  // The helper is notified but not yet running.
    pthread_t thread{};
  };

  // Posts the job. Returns the helpers to notify of it, which are no longer idle.
  std::vector<std::shared_ptr<Helper>> post(Posted& posted) {
    const std::lock_guard lock(mutex_);
    posted_.push_back(&posted);
    std::vector<std::shared_ptr<Helper>> called;
    while (called.size() < posted.wanted && !idle_.empty()) {
      called.push_back(idle_.back());
      called.back()->is_idle = false;
      idle_.pop_back();
    }
    while (called.size() < posted.wanted && helpers_ + 1 < processor_count()) {
      auto helper = std::make_shared<Helper>();
      std::jthread thread = try_start_thread([this, helper] { run(helper); });
      if (!thread.joinable()) break;
      helper->thread = thread.native_handle();
      thread.detach();
      ++helpers_;
      called.push_back(std::move(helper));
    }
    return called;
  }

  // The kernel often puts a woken thread on the processor of the thread that wakes it, which continues to
  // work. The woken one waits there for one to five milliseconds, until the kernel balances the load. So the
  // helper's affinity excludes this processor until the helper runs.
  void call(Helper& helper, const Posted& posted) {
    cpu_set_t others = posted.allowed;
    const int here = ::sched_getcpu();
    if (here >= 0 && here < CPU_SETSIZE) CPU_CLR(static_cast<std::size_t>(here), &others);
    if (posted.is_bound && CPU_COUNT(&others) > 0)
      ::pthread_setaffinity_np(helper.thread, sizeof others, &others);
    {
      const std::lock_guard lock(mutex_);
      helper.is_called = true;
    }
    helper.called.notify_one();
  }

  void run(const std::shared_ptr<Helper>& helper) {
    std::unique_lock lock(mutex_);
    while (true) {
      if (!wait_for_call(lock, helper)) return;
      while (Posted* posted = next()) {
        --posted->wanted;
        ++posted->working;
        lock.unlock();
        if (posted->is_bound) ::sched_setaffinity(0, sizeof posted->allowed, &posted->allowed);
        posted->job.work();
        lock.lock();
        posted->wanted = 0;  // All blocks are taken, so no other helper is needed.
        if (--posted->working == 0) posted_left_.notify_all();
      }
      idle_.push_back(helper);
      helper->is_idle = true;
    }
  }

  // Waits until the helper is called. Returns false if it was idle too long and must end.
  bool wait_for_call(std::unique_lock<std::mutex>& lock, const std::shared_ptr<Helper>& helper) {
    const auto take_call = [&] { return std::exchange(helper->is_called, false); };
    while (!helper->called.wait_for(lock, idle_max, take_call)) {
      if (!helper->is_idle) continue;
      std::erase(idle_, helper);
      --helpers_;
      return false;
    }
    return true;
  }

  Posted* next() const {
    const auto at = std::ranges::find_if(posted_, [](const Posted* one) { return one->wanted > 0; });
    return at == posted_.end() ? nullptr : *at;
  }

  std::mutex mutex_;
  std::condition_variable posted_left_;
  std::vector<Posted*> posted_;
  std::size_t helpers_ = 0;  // The number of helper threads that exist.
  std::vector<std::shared_ptr<Helper>> idle_;
};

}  // namespace

std::size_t processor_count() {
  // The number of processors is queried once, because the system reads a file for each query.
  static const std::size_t there = std::max(1u, std::thread::hardware_concurrency());
  return std::min(there, computing_threads_max);
}

void in_parallel(std::size_t count, std::size_t block, const SharedJob::Work& work) {
  SharedJob job(count, block, work);
  const std::size_t threads = std::min(job.blocks(), processor_count());
  if (threads < 2) return job.work();
  Helpers::of_process().share(job, threads - 1);
}

void in_parallel_on_disk(std::size_t count, std::size_t block, const SharedJob::Work& work) {
  SharedJob job(count, block, work);
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min(job.blocks(), waiting_threads); ++i) {
    std::jthread thread = try_start_thread([&] { job.work(); });
    if (!thread.joinable()) break;
    threads.push_back(std::move(thread));
  }
  job.work();
}

void run_both(const std::function<void()>& one, const std::function<void()>& other) {
  in_parallel(2, 1, [&](std::size_t begin, std::size_t) { begin == 0 ? one() : other(); });
}

}  // namespace snapgen::core
