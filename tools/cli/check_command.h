#pragma once
// `snap check [MODE]`: checks the work.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_check(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
