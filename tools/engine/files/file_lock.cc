#include "tools/engine/files/file_lock.h"

#include <cerrno>
#include <chrono>
#include <thread>

#include <sys/file.h>

namespace snapgen::core {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds poll{2};

}  // namespace

LockResult lock_file(int fd, const std::stop_token& stop, LockKind kind, milliseconds wait_max) {
  const int operation = (kind == LockKind::exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB;
  const steady_clock::time_point last = steady_clock::now() + wait_max;
  while (::flock(fd, operation) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return LockResult::failed;
    if (stop.stop_requested()) return LockResult::cancelled;
    if (steady_clock::now() > last) return LockResult::busy;
    std::this_thread::sleep_for(poll);
  }
  return LockResult::acquired;
}

void unlock_file(int fd) { ::flock(fd, LOCK_UN); }

}  // namespace snapgen::core
