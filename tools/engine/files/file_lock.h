#pragma once
// Locks on the server's own files. Another process may own one for long, or forever if it is stopped.
#include <chrono>
#include <cstdint>
#include <stop_token>

namespace snapgen::core {

enum class LockResult : std::uint8_t {
  acquired,
  busy,       // Another process owned the lock the whole time.
  cancelled,  // The call was cancelled while it waited.
  failed,     // The reason is in errno.
};

enum class LockKind : std::uint8_t { exclusive, shared };

// Waits until no other process has a conflicting lock on the open file, at most `wait_max`. The lock lasts
// until unlock_file() or until the descriptor is closed.
LockResult lock_file(int fd, const std::stop_token& stop, LockKind kind = LockKind::exclusive,
                     std::chrono::milliseconds wait_max = std::chrono::minutes(1));
void unlock_file(int fd);

}  // namespace snapgen::core
