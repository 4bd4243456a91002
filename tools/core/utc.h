#pragma once
// Times as people and JSON have them, and the two clocks.
#include <cstdint>
#include <string>

namespace snapgen::core {

// 2026-11-22T00:40:00.123Z, of milliseconds since 1970.
std::string iso_time(std::int64_t ms);
// The system's clock, in milliseconds since 1970.
std::int64_t now_ms();
// Milliseconds by a clock that never goes back.
double steady_ms();

}  // namespace snapgen::core
