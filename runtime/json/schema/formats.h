#pragma once
// The formats that plans assert: those of format.h, and more that foreign schemas use.
#include <cstdint>
#include <optional>
#include <string_view>

namespace snapgen::json {

// Maps a format's name in a schema to its number in plans; nullopt if it is unknown.
std::optional<std::uint32_t> plan_format_named(std::string_view name);
std::string_view plan_format_name(std::uint32_t format);
bool has_plan_format(std::uint32_t format, std::string_view utf8);

}  // namespace snapgen::json
