#pragma once
// What the answers of the facade's tools have in common, for people.
#include <string>
#include <vector>

#include "schemas/facade/learned.h"
#include "schemas/facade/next_action.h"
#include "schemas/facade/session_health.h"
#include "tools/cli/terminal.h"

namespace snapgen::tools {

// "risk medium (4 points), protection 80 %, 3 uncommitted files"
std::string words_of(const SessionHealth& health, const Terminal& out);
// What was learned, a line each; empty if there is nothing.
std::string words_of(const std::vector<Learned>& learnings, const Terminal& out);
// What would make sense now, as commands, a line each; empty if there is nothing that is one.
std::string words_of(const std::vector<NextAction>& actions, const Terminal& out);

}  // namespace snapgen::tools
