#pragma once
// `snap session start|recommendations|stats|checkpoint|end`: a task from start to end.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_session(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
