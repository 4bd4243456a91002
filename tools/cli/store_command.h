#pragma once
// `snap store stats|verify|gc`: looking after what is kept of a workspace.
#include <string>

#include "tools/cli/command.h"

namespace snapgen::tools {

void add_store(CLI::App& program, Chosen& chosen);

// `gc`, which stands in two groups: `group` is the name of the one at hand.
CLI::App& add_gc(CLI::App& parent, Chosen& chosen, const std::string& group);

}  // namespace snapgen::tools
