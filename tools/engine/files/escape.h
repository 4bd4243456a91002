#pragma once
// How the refusal of a path that would leave the workspace is told from other wrong arguments: by its cause.
#include <string_view>

namespace snapgen::core {

inline constexpr std::string_view leads_out = "a path that leads out of the workspace";

}  // namespace snapgen::core
