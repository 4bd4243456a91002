#pragma once
// `snap check [MODE]`: checks the changes of a task or the named files.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_check_command(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
