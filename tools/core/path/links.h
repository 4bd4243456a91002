#pragma once
#include <cstdint>

namespace snapgen::core {

// What becomes of a symlink in the place of a file.
enum class Links : std::uint8_t { refused, followed };

}  // namespace snapgen::core
