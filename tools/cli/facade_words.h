#pragma once
// Text output shared by the commands for the facade's tools.
#include <string>
#include <vector>

#include "schemas/facade/learned.h"
#include "schemas/facade/next_action.h"
#include "schemas/facade/session_health.h"
#include "tools/cli/terminal.h"

namespace snapgen::tools {

// For example "risk medium (4 points), protection 80 %, 3 uncommitted files".
std::string words_of(const SessionHealth& health, const Terminal& out);
// Learnings, one per line; empty if there are none.
std::string words_of(const std::vector<Learned>& learnings, const Terminal& out);
// Suggested commands, one per line; empty if there are none.
std::string words_of(const std::vector<NextAction>& actions, const Terminal& out);

}  // namespace snapgen::tools
