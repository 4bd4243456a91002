#pragma once
// in_steps: the pace of a MemoryPeer in bytes per millisecond.
#include <cstddef>

#include "tests/transport/memory.h"

namespace snapgen {

inline MemoryPeer::Pace in_steps(std::size_t arriving, std::size_t taking, std::size_t capacity) {
  MemoryPeer::Pace pace;
  pace.arrival = [arriving] { return MemoryPeer::Step{.bytes = arriving, .delay = Millis(1)}; };
  pace.reading = [taking] { return MemoryPeer::Step{.bytes = taking, .delay = Millis(1)}; };
  pace.capacity = capacity;
  return pace;
}

}  // namespace snapgen
