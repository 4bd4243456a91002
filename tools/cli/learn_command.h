#pragma once
// `snap learn` and `snap violation`: record what later tasks should know.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_learn_command(CLI::App& program, Invocation& invocation);
void add_violation_command(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
