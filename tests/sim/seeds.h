#pragma once
// Runs a simulation over many seeds. --seeds=N sets their number, --seed=N runs one. A failure, crash or
// assert prints the command that replays it.
#include <cstdint>

namespace snapgen::sim {

// Stops at the first seed that fails. Returns the number of seeds that ran.
std::uint64_t for_each_seed(void (*simulate)(std::uint64_t seed));

}  // namespace snapgen::sim
