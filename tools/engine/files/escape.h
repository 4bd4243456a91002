#pragma once
// The cause of an error that rejects a path outside the workspace, which distinguishes it from other
// invalid_argument errors.
#include <string_view>

namespace snapgen::core {

inline constexpr std::string_view outside_workspace_cause = "a path that leads out of the workspace";

}  // namespace snapgen::core
