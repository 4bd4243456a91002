#pragma once
// Locks of files of ours that another process may hold for long, or for ever if it is stopped.
#include <cstdint>
#include <stop_token>

namespace snapgen::core {

enum class Locked : std::uint8_t {
  yes,
  busy,     // A minute long somebody else had it.
  stopped,  // The call was cancelled meanwhile.
  failed,   // As errno says.
};

// Waits until nobody else has the open file locked. Held until the descriptor is closed.
Locked lock_file(int fd, const std::stop_token& stop);

}  // namespace snapgen::core
