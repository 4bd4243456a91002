#pragma once
// What becomes of a symlink in the place of a file, or on the way to one.
#include <cstdint>

namespace snapgen::core {

enum class Links : std::uint8_t { refused, followed };

}  // namespace snapgen::core
