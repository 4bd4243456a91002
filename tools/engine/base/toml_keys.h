#pragma once
// Limits the dotted keys of TOML before toml++ parses them. toml++ has no limit: it makes a table for each
// part, and deletes them by recursion, which exhausts the stack.
#include <cstddef>
#include <optional>
#include <string_view>

namespace snapgen::core {

inline constexpr std::size_t toml_key_parts_max = 64;

// Returns the offset in the first dotted key that has more parts, in a header or before `=`. nullopt if there
// is none, or if a syntax error precedes it.
std::optional<std::size_t> long_toml_key(std::string_view text);

}  // namespace snapgen::core
