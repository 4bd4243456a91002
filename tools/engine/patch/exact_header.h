#pragma once
// The rules for the `@@` line of a hunk that `exact_lines` adds to those of place_hunks().
#include <optional>
#include <string>

#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Returns true if the `@@` line has counts, and the body of the hunk has as many lines.
bool has_right_counts(const Hunk& hunk);

// Returns why the `@@` line of a hunk is rejected; empty if it is not. `last` is that of the hunk before it.
std::string fault_of_exact_header(const Hunk& hunk, const std::optional<StatedRanges>& last);

}  // namespace snapgen::core
