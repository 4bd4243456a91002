#pragma once
// Work shared by several threads, where there is enough of it.
//
// The threads that help are kept from one call to the next, and nobody waits for one that has not come yet:
// whoever shares work does all of it, should no other thread find the time.
#include <cstddef>
#include <functional>

namespace snapgen::core {

// How many threads work that needs a processor is shared by.
std::size_t processors();

// Calls work(begin, end) for blocks that together are [0, count), the first ones first, on as many threads as
// there are processors. Returns when all are done. A count of one block stays on the calling thread.
void in_parallel(std::size_t count, std::size_t block,
                 const std::function<void(std::size_t, std::size_t)>& work);

// The same for work that waits for the disk, which serves many requests in hardly more time than one: on more
// threads than there are processors.
void while_disk_works(std::size_t count, std::size_t block,
                      const std::function<void(std::size_t, std::size_t)>& work);

// Does both, at once if another thread has time.
void side_by_side(const std::function<void()>& one, const std::function<void()>& other);

}  // namespace snapgen::core
