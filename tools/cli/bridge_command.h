#pragma once
// `snap bridge status|pair`: shows the bridge of a running server, and pairs a browser with it.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_bridge_command(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
