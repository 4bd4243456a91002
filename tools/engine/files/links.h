#pragma once
// Selects whether a symlink at the path, or at a component of it, is followed or rejected.
#include <cstdint>

namespace snapgen::core {

enum class SymlinkPolicy : std::uint8_t { refused, followed };

}  // namespace snapgen::core
