#pragma once
// What is looked at in a workspace: git, permissions, room, settings, the store, watches, logs. Nothing is
// changed by looking.
#include <optional>
#include <string>

#include "tools/cli/findings.h"
#include "tools/server/trees/workspace.h"

namespace snapgen::tools {

// Which workspace it is, and why that one; none if there is none.
std::optional<std::string> look_at_workspace(Findings& findings, const WorkspaceRequest& request);

// Everything else of it.
void look_into_workspace(Findings& findings, const std::string& workspace);

}  // namespace snapgen::tools
