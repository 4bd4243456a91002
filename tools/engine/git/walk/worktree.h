#pragma once
// Stats the index's paths in the work tree, on two threads if there are many.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include <sys/stat.h>

#include "runtime/base/fd.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/git/repository/disk.h"
#include "tools/engine/git/repository/index.h"

namespace snapgen::core::git {

enum class Presence : std::uint8_t { present, missing, unknown };

// PathProbe does lstat(2) on paths below a root, in index order. As in git, a path beyond a symlink is
// missing. It caches the last folder and its handle, so use one per thread.
class PathProbe {
 public:
  explicit PathProbe(int root_fd) : root_fd_(root_fd) {}
  Presence stat(std::string_view path, struct stat& out);

 private:
  Presence probe_parents(std::string_view path, std::size_t end);
  bool try_open(std::string_view folder);

  const int root_fd_;
  std::string buffer_;
  std::string open_folder_;     // A folder's path with a trailing slash, free of symlinks.
  Fd open_folder_fd_;           // The handle of that folder; empty if it cannot be opened.
  std::string missing_folder_;  // A folder's path that is missing or has a symlink.
};

inline constexpr std::size_t entries_per_step = 256;

enum class ThreadCount : std::uint8_t { one, two };

// Calls the workers for ranges of [0, count) until all are done; each worker runs on one thread. `before` is
// called once, in parallel if there is a second thread. A small count, or ThreadCount::one, needs one thread.
template <class Worker, class Before>
void distribute_entries(std::size_t count, ThreadCount threads, Worker& first, Worker& second,
                        Before before) {
  std::atomic<std::size_t> next{0};
  const auto drain = [&](Worker& worker) {
    for (;;) {
      const std::size_t begin = next.fetch_add(entries_per_step, std::memory_order_relaxed);
      if (begin >= count) return;
      worker(begin, std::min(begin + entries_per_step, count));
    }
  };
  if (count <= entries_per_step || threads == ThreadCount::one) {
    before();
    drain(first);
    return;
  }
  run_both([&] { drain(first); },
           [&] {
             before();
             drain(second);
           });
}

}  // namespace snapgen::core::git
