#pragma once
// The formats that plans assert: those of format.h, and those that only schemas from elsewhere ask for.
#include <cstdint>
#include <optional>
#include <string_view>

namespace snapgen::json {

// A number for plans, by the format's name in a schema; none if it is not known.
std::optional<std::uint32_t> plan_format_named(std::string_view name);
std::string_view plan_format_name(std::uint32_t format);
bool has_plan_format(std::uint32_t format, std::string_view utf8);

}  // namespace snapgen::json
