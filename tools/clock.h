#pragma once
// Times as messages have them.
#include <cstdint>
#include <string>

namespace snapgen::tools {

// Milliseconds since 1970, by the system's clock.
std::int64_t now_ms();
// Milliseconds by a clock that never goes back.
double steady_ms();
// 2025-09-30T10:31:00.123Z
std::string timestamp(std::int64_t ms);

}  // namespace snapgen::tools
