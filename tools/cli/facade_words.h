#pragma once
// Converts answers of the facade's tools to text for the commands.
#include <string>
#include <vector>

#include "schemas/facade/learned.h"
#include "schemas/facade/next_action.h"
#include "schemas/facade/session_health.h"
#include "tools/cli/terminal.h"

namespace snapgen::tools {

// Returns the health on one line: "risk medium (4 points), protection 80 %, 3 uncommitted files".
std::string health_in_words(const SessionHealth& health, const Terminal& out);
// Returns learnings, one per line; empty if there are none.
std::string learnings_in_words(const std::vector<Learned>& learnings, const Terminal& out);
// Returns suggested commands, one per line; empty if there are none.
std::string actions_in_words(const std::vector<NextAction>& actions, const Terminal& out);

}  // namespace snapgen::tools
