#pragma once
// `snap session start|recommendations|stats|checkpoint|end`: a piece of work from its start to its end.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_session(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
