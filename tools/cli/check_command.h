#pragma once
// `snap check [MODE]`: looks at the work, or runs what the workspace has.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_check(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
