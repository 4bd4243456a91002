#pragma once
// Locks of files of ours that another process may hold for long, or for ever if it is stopped.
#include <chrono>
#include <cstdint>
#include <stop_token>

namespace snapgen::core {

enum class Locked : std::uint8_t {
  yes,
  busy,     // All the time somebody else had it.
  stopped,  // The call was cancelled meanwhile.
  failed,   // As errno says.
};

enum class LockKind : std::uint8_t { alone, shared };

// Waits until nobody else has the open file locked against that, but not for longer than `wait_max`. Held
// until the descriptor is closed, or unlock_file().
Locked lock_file(int fd, const std::stop_token& stop, LockKind kind = LockKind::alone,
                 std::chrono::milliseconds wait_max = std::chrono::minutes(1));
void unlock_file(int fd);

}  // namespace snapgen::core
