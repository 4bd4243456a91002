#pragma once
// The way back to a snapshot that exists in the server's profile and tier. An answer names no other.
#include <string>
#include <string_view>

#include "tools/app/next_actions.h"

namespace snapgen::tools {

// What can restore a whole snapshot: the listed name of a tool that may be called, such as "snap_fix", or the
// command line.
std::string name_of_restore(const App& app);

// What can restore single paths of a snapshot, as above.
std::string name_of_path_restore(const App& app);

// Proposes the call that restores the snapshot, if a tool can. `id`: as the tools accept it.
void propose_restore(NextActions& actions, std::string_view id, double priority, std::string reason,
                     std::string condition);

}  // namespace snapgen::tools
