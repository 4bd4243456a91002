#pragma once
// JSON with comments and trailing commas, as VS Code and tsconfig.json allow them.
#include <string>
#include <string_view>

namespace snapgen::core {

inline constexpr std::string_view json_white_space = " \t\r\n";

// Replaces comments by spaces. An unterminated comment is unchanged and invalid JSON.
void blank_json_comments(std::string& text);

// Replaces comments, trailing commas and a byte order mark by spaces, so that positions and line breaks are
// unchanged.
std::string without_json_comments(std::string_view text);

}  // namespace snapgen::core
