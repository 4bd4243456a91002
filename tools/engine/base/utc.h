#pragma once
// Times as people and JSON have them, and the two clocks.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen::core {

// 2026-11-22T00:40:00.123Z, of milliseconds since 1970.
std::string iso_time(std::int64_t ms);
// The reverse; the date may stand alone, and so may hours and minutes: 2026-11-22, 2026-11-22T00:40. None:
// it is no such time, or of another zone than UTC.
std::optional<std::int64_t> ms_of_iso_time(std::string_view text);
// The system's clock, in milliseconds since 1970.
std::int64_t now_ms();
// Milliseconds by a clock that never goes back.
double steady_ms();

}  // namespace snapgen::core
