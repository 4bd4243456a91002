#pragma once
// Names the tools that can restore a snapshot in the server's profile and tier. Answers name no others.
#include <string>
#include <string_view>

#include "tools/app/next_actions.h"

namespace snapgen::tools {

// Returns what can restore a whole snapshot: the listed name of a tool that may be called, such as
// "snap_fix", or the command line.
std::string name_of_restore_tool(const App& app);

// Returns what can restore single paths of a snapshot, as name_of_restore_tool() does.
std::string name_of_path_restore_tool(const App& app);

// Proposes the call that restores the snapshot, if a tool can. `id` is in the form that the tools accept.
void propose_restore(NextActions& actions, std::string_view id, double priority, std::string reason,
                     std::string condition);

}  // namespace snapgen::tools
