#pragma once
// Checks a workspace without changing it: git, permissions, disk space, settings, the store, watches, logs.
#include <optional>
#include <string>

#include "tools/cli/findings.h"
#include "tools/server/trees/workspace.h"

namespace snapgen::tools {

// Reports the workspace and the reason for its choice; nullopt if there is none.
std::optional<std::string> look_at_workspace(Findings& findings, const WorkspaceSources& request);

// Reports everything else.
void look_into_workspace(Findings& findings, const std::string& workspace);

}  // namespace snapgen::tools
