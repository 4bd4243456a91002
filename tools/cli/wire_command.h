#pragma once
// `snap wire decode`: decodes a line of a wire tool for people and scripts.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_wire_command(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
