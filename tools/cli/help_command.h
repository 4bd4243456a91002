#pragma once
// `snap help [COMMAND]`: what --help says, for who asks for it in words.
#include "tools/cli/command.h"

namespace snapgen::tools {

// `program` outlives what is chosen.
void add_help(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
