#pragma once
// `snap help [COMMAND]`: prints the same text as --help.
#include "tools/cli/command.h"

namespace snapgen::tools {

// `program` must outlive the chosen command.
void add_help(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
