#pragma once
// `snap doctor`: checks that everything works for the server and its hosts, and suggests fixes.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_doctor_command(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
