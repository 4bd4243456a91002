#pragma once
// Runs a simulation over many seeds. The program takes --seeds=N (how many) and --seed=N (this one alone); a
// failure, a crash and an assert all print the line that replays it.
#include <cstdint>

namespace snapgen::sim {

// Stops at the first seed whose run records a failure of GoogleTest. How many were run.
std::uint64_t for_each_seed(void (*simulate)(std::uint64_t seed));

}  // namespace snapgen::sim
