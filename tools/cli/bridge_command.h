#pragma once
// `snap bridge status|pair`: the bridge of a running server, on the terminal.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_bridge(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
