#pragma once
// `snap wire decode`: decodes a line of a wire tool for people and scripts.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_wire(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
