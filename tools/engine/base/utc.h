#pragma once
// Conversion of times to and from text, and the two clocks.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen::core {

// Formats milliseconds since 1970 as 2026-11-22T00:40:00.123Z.
std::string iso_time(std::int64_t ms);
// Formats milliseconds since 1970 in local time, as 2026-11-22 01:40:00.
std::string local_time(std::int64_t ms);
// Parses a time in the form of iso_time(). The time of day, or its seconds, may be missing: 2026-11-22,
// 2026-11-22T00:40. Returns nullopt if the text is not a time or has a zone other than UTC.
std::optional<std::int64_t> ms_of_iso_time(std::string_view text);
// Returns the system clock, in milliseconds since 1970.
std::int64_t now_ms();
// Returns the monotonic clock, in milliseconds.
double steady_ms();

}  // namespace snapgen::core
