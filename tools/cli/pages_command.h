#pragma once
// `snap completion` and `snap manual`: print shell completions and manual pages.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_pages_commands(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
