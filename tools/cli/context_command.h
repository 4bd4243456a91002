#pragma once
// `snap ctx init|build|validate|status|constraint|check|blockers`: what a project wants everybody to know.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_context(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
