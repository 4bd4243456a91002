#pragma once
// Checks a workspace without changing it: git, permissions, disk space, settings, the store, watches, logs.
#include <optional>
#include <string>

#include "tools/cli/doctor_results.h"
#include "tools/server/trees/find_workspace.h"

namespace snapgen::tools {

// Finds the workspace, and reports it and the reason for its choice. Returns nullopt if there is none.
std::optional<std::string> check_workspace_choice(DoctorResults& findings, const WorkspaceSources& request);

// Checks everything else about the workspace and reports it.
void check_workspace(DoctorResults& findings, const std::string& workspace);

}  // namespace snapgen::tools
