#pragma once
// Work shared by several threads, where there is enough of it.
#include <cstddef>
#include <functional>

namespace snapgen::core {

// How many threads work that needs a processor is shared by.
std::size_t processors();

// Calls work(begin, end) for blocks that together are [0, count), in any order, on as many threads as there
// are processors. Returns when all are done. A count of one block stays on the calling thread.
void in_parallel(std::size_t count, std::size_t block,
                 const std::function<void(std::size_t, std::size_t)>& work);

// The same for work that waits for the disk, which serves many requests in hardly more time than one: on more
// threads than there are processors.
void while_disk_works(std::size_t count, std::size_t block,
                      const std::function<void(std::size_t, std::size_t)>& work);

}  // namespace snapgen::core
