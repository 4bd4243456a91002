#pragma once
// `snap store stats|verify|gc`: measures, checks and cleans the snapshot store of a workspace.
#include <string>

#include "tools/cli/command.h"

namespace snapgen::tools {

void add_store_commands(CLI::App& program, Invocation& invocation);

// Adds the command `gc`, which two groups have; `group` is the name of the group.
CLI::App& add_gc_command(CLI::App& parent, Invocation& invocation, const std::string& group);

}  // namespace snapgen::tools
