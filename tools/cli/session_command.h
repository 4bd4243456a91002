#pragma once
// `snap session start|recommendations|stats|checkpoint|end`: begins a task, reports on it, and ends it.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_session_commands(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
