#pragma once
// Names that nobody can guess, from the kernel's random source.
#include <cstddef>
#include <string>

namespace snapgen::core {

// `count` of [a-z2-7]: 5 bits each.
std::string random_name(std::size_t count);

}  // namespace snapgen::core
