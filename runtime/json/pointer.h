#pragma once
// JSON Pointers (RFC 6901): their tokens, and those of many places in one walk, which is what
// Reader::violations is made of.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::json {

// `~` and `/` are written as ~0 and ~1, behind the slash that begins a token.
void append_token(std::string& pointer, std::string_view token);
// The same back, of a token without its slash. A `~` before anything else stands for itself.
std::string unescaped_token(std::string_view token);

// The pointers of the values or keys at `offsets`, which are in ascending order.
std::vector<std::string> pointers_at(std::string_view text, std::span<const std::size_t> offsets);

}  // namespace snapgen::json
