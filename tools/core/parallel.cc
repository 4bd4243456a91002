#include "tools/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace snapgen::core {
namespace {

using Work = std::function<void(std::size_t, std::size_t)>;

constexpr std::size_t computing_threads_max = 8;
constexpr std::size_t waiting_threads = 16;

void spread(std::size_t count, std::size_t block, std::size_t threads_max, const Work& work) {
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
  std::size_t helpers = std::min(blocks, threads_max);
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(drain);
  drain();
}

}  // namespace

std::size_t processors() {
  // Asked once: the system reads a file for each answer.
  static const std::size_t there = std::max(1u, std::thread::hardware_concurrency());
  return std::min(there, computing_threads_max);
}

void in_parallel(std::size_t count, std::size_t block, const Work& work) {
  spread(count, block, processors(), work);
}

void while_disk_works(std::size_t count, std::size_t block, const Work& work) {
  spread(count, block, waiting_threads, work);
}

}  // namespace snapgen::core
