#include "tools/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace snapgen::core {
namespace {

constexpr std::size_t threads_max = 8;

}  // namespace

void in_parallel(std::size_t count, std::size_t block,
                 const std::function<void(std::size_t, std::size_t)>& work) {
  if (count <= block) {
    if (count > 0) work(0, count);
    return;
  }
  std::atomic<std::size_t> next = 0;
  auto drain = [&] {
    while (true) {
      std::size_t begin = next.fetch_add(block, std::memory_order_relaxed);
      if (begin >= count) return;
      work(begin, std::min(begin + block, count));
    }
  };
  std::size_t blocks = (count + block - 1) / block;
  std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
  std::size_t helpers = std::min({blocks, processors, threads_max});
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(drain);
  drain();
}

}  // namespace snapgen::core
