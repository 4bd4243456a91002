#pragma once
// `snap trust`: decides which commands of .snapback/config.json checks may run on this machine.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_trust_command(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
