#pragma once
// Work shared by as many threads as there are processors, where there is enough of it.
#include <cstddef>
#include <functional>

namespace snapgen::core {

// Calls work(begin, end) for blocks that together are [0, count), in any order, on several threads. Returns
// when all are done. A count of one block stays on the calling thread.
void in_parallel(std::size_t count, std::size_t block,
                 const std::function<void(std::size_t, std::size_t)>& work);

}  // namespace snapgen::core
