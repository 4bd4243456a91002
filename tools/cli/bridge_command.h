#pragma once
// `snap bridge status|pair`: the bridge of a server that runs, from the terminal of its user.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_bridge(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
