#pragma once
// JSON Pointers (RFC 6901): functions for their tokens, and the pointers of many offsets of a text in one
// pass, for Reader::violations().
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::json {

// Appends a slash and `token`, with `~` and `/` escaped as ~0 and ~1.
void append_pointer_token(std::string& pointer, std::string_view token);
// Unescapes a token, which must be without its slash. A `~` that is not followed by 0 or 1 is literal.
std::string unescaped_pointer_token(std::string_view token);

// Returns the pointers of the values or keys at these offsets in `text`. The offsets must be ascending.
std::vector<std::string> pointers_at(std::string_view text, std::span<const std::size_t> offsets);

}  // namespace snapgen::json
