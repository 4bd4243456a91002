#pragma once
// `snap ctx init|build|validate|status|constraint|check|blockers`: project-wide facts and limits.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_context(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
