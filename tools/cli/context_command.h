#pragma once
// `snap ctx init|build|validate|status|constraint|check|blockers`: records and checks facts of the project.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_context_command(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
