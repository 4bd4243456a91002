#pragma once
// `snap wire decode`: what a line of a wire tool says, for people and for scripts.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_wire(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
