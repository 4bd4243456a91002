#pragma once
// JSON Pointers (RFC 6901): their tokens, and the pointers of many offsets in one pass, for
// Reader::violations.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::json {

// Appends a slash and `token`, with `~` and `/` escaped as ~0 and ~1.
void append_token(std::string& pointer, std::string_view token);
// Unescapes a token without its slash. A `~` before any other character is literal.
std::string unescaped_token(std::string_view token);

// Returns the pointers of the values or keys at `offsets`, which must be ascending.
std::vector<std::string> pointers_at(std::string_view text, std::span<const std::size_t> offsets);

}  // namespace snapgen::json
