#pragma once
// `snap store stats|verify|gc`: maintains the snapshot store of a workspace.
#include <string>

#include "tools/cli/command.h"

namespace snapgen::tools {

void add_store(CLI::App& program, Chosen& chosen);

// Adds `gc`, which two groups have; `group` is the name of this group.
CLI::App& add_gc(CLI::App& parent, Chosen& chosen, const std::string& group);

}  // namespace snapgen::tools
