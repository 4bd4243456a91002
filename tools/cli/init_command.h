#pragma once
// `snap init`: makes a folder a workspace, and tells a host of the server.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_init(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
