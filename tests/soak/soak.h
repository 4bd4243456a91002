#pragma once
// Tests that use a sample of all cases in `./dev test` use every case in `./dev soak`.
#include <cstdlib>

namespace snapgen {

inline bool is_soak() { return std::getenv("SNAPGEN_SOAK") != nullptr; }

}  // namespace snapgen
