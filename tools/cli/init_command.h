#pragma once
// `snap init`: makes a folder a workspace, and adds the server to a host's file.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_init_command(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
