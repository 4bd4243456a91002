#pragma once
// Unguessable names from the kernel's random source.
#include <cstddef>
#include <string>
#include <string_view>

namespace snapgen::core {

// The 32 characters of names; each encodes 5 bits.
inline constexpr std::string_view name_letters = "abcdefghijklmnopqrstuvwxyz234567";

// Returns `count` characters of [a-z2-7], each with 5 random bits.
std::string random_name(std::size_t count);

// Whether `text` is `prefix` and a name as random_name(count) makes it.
bool is_random_name(std::string_view text, std::string_view prefix, std::size_t count);

}  // namespace snapgen::core
