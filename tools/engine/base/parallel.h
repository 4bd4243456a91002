#pragma once
// Distributes work over several threads.
//
// The helper threads are reused between calls. The calling thread does all the work if no helper is free, so
// it never waits for a helper that has not started.
#include <cstddef>
#include <functional>

namespace snapgen::core {

// Returns how many threads share work that needs a processor.
std::size_t processor_count();

// Calls work(begin, end) for blocks that cover [0, count), in ascending order, on up to processor_count()
// threads. Returns when all blocks are done. A single block runs on the calling thread.
void in_parallel(std::size_t count, std::size_t block,
                 const std::function<void(std::size_t, std::size_t)>& work);

// Like in_parallel(), for work that waits for the disk. It uses more threads than there are processors,
// because the disk serves many requests in little more time than one.
void in_parallel_on_disk(std::size_t count, std::size_t block,
                         const std::function<void(std::size_t, std::size_t)>& work);

// Runs both functions, in parallel if another thread is free.
void run_both(const std::function<void()>& one, const std::function<void()>& other);

}  // namespace snapgen::core
