#pragma once
// The formats that plans check: those of format.h, and more that other projects' schemas use.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace snapgen::json {

// Returns a format's number in plans by its name in a schema, or nullopt if it is unknown.
std::optional<std::uint32_t> plan_format_named(std::string_view name);
std::string_view plan_format_name(std::uint32_t format);
// Returns the names of all formats.
std::vector<std::string_view> plan_format_names();
bool matches_plan_format(std::uint32_t format, std::string_view utf8);

}  // namespace snapgen::json
