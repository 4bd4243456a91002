#pragma once
// World: the parts that a simulated session needs: a channel whose peer is slow, is fast, stalls or reads
// single bytes, a loop, and a seeded pool and clock. The session gets `channel`; the simulated client uses
// `peer` and `random`.
#include <cstddef>
#include <cstdint>
#include <functional>

#include "runtime/async/loop.h"
#include "runtime/transport/line_channel.h"
#include "tests/sim/random.h"
#include "tests/sim/sim_port.h"
#include "tests/transport/memory.h"

namespace snapgen::sim {

// The pace of one direction: all bytes at once, a few at a time, or pieces of any size with stalls between
// them.
inline std::function<MemoryPeer::Step()> seeded_steps(Random& random) {
  switch (random.below(3)) {
    case 0: return [] { return MemoryPeer::Step(); };
    case 1:
      return [&random] {
        return MemoryPeer::Step{.bytes = random.between(1, 40), .delay = Millis(random.below(2))};
      };
    default:
      return [&random] {
        std::size_t after_ms = random.one_in(20) ? 1000 : random.below(20);
        return MemoryPeer::Step{.bytes = random.between(1, 2000), .delay = Millis(after_ms)};
      };
  }
}

inline MemoryPeer::Pace seeded_pace(Random& random) {
  MemoryPeer::Pace pace;
  pace.arrival = seeded_steps(random);
  pace.reading = seeded_steps(random);
  const std::size_t capacities[] = {MemoryPeer::unlimited, 64 * 1024, random.between(1, 200)};
  pace.capacity = capacities[random.below(3)];
  return pace;
}

struct World {
  explicit World(std::uint64_t seed, std::size_t message_bytes_max = FrameSplitter::message_bytes_max_default)
      : random(seed ^ 0x5eed),
        port(seed),
        loop(port),
        peer(loop, seeded_pace(random)),
        // Time may advance here before a reader that can continue is resumed.
        channel(loop, peer, message_bytes_max, Millis(0)) {}

  Random random;
  SimPort port;
  Loop loop;
  MemoryPeer peer;
  LineChannel channel;
};

}  // namespace snapgen::sim
