#pragma once
// `snap help [COMMAND]`: prints the same text as --help.
#include "tools/cli/command.h"

namespace snapgen::tools {

// Adds the command. `program` must outlive its run.
void add_help_command(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
