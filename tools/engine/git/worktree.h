#pragma once
// Looking at the index's paths in the work tree, on two threads where there are many.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include <sys/stat.h>

#include "runtime/base/fd.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/git/disk.h"
#include "tools/engine/git/index.h"

namespace snapgen::core::git {

enum class Presence : std::uint8_t { there, missing, unknown };

// lstat of paths below a root, in index order. A path beyond a symlink is missing, as it is for git. One per
// thread: it remembers the folders it has just seen, and looks at what is in the last one through a handle.
class PathProbe {
 public:
  explicit PathProbe(int root_fd) : root_fd_(root_fd) {}
  Presence look(std::string_view path, struct stat& out);

 private:
  Presence folders(std::string_view path, std::size_t end);
  bool try_open(std::string_view folder);

  const int root_fd_;
  std::string buffer_;
  std::string good_;  // a folder's path with its slash: real folders all the way
  Fd good_fd_;        // that folder; empty if it could not be opened
  std::string bad_;   // the same, missing or a symlink somewhere on the way
};

inline constexpr std::size_t entries_per_step = 256;

enum class Threads : std::uint8_t { one, two };

// Calls `worker(begin, end)` for runs of [0, count) until all are done; the two workers share the runs, each
// on one thread at a time. `before` is called once, at the same time if a second thread is there. A small
// count stays on the calling thread, or all if there is to be one.
template <class Worker, class Before>
void share_entries(std::size_t count, Threads threads, Worker& first, Worker& second, Before before) {
  std::atomic<std::size_t> next{0};
  const auto drain = [&](Worker& worker) {
    for (;;) {
      const std::size_t begin = next.fetch_add(entries_per_step, std::memory_order_relaxed);
      if (begin >= count) return;
      worker(begin, std::min(begin + entries_per_step, count));
    }
  };
  if (count <= entries_per_step || threads == Threads::one) {
    before();
    drain(first);
    return;
  }
  side_by_side([&] { drain(first); },
               [&] {
                 before();
                 drain(second);
               });
}

}  // namespace snapgen::core::git
