#pragma once
// Unguessable names from the kernel's random source.
#include <cstddef>
#include <string>

namespace snapgen::core {

// Returns `count` characters of [a-z2-7], each with 5 random bits.
std::string random_name(std::size_t count);

}  // namespace snapgen::core
