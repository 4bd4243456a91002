#pragma once
// Unified diffs on a terminal.
#include <string>
#include <string_view>

#include "tools/cli/terminal.h"

namespace snapgen::tools {

// Colours the diff as git does. Inside a hunk, only the first character of a line decides.
std::string coloured_diff(std::string_view diff, const Terminal& out);

}  // namespace snapgen::tools
