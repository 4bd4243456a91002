#pragma once
// `snap completion`, `snap manual`: what shells and man are told of these commands.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_pages(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
