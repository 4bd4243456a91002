#pragma once
// Which folder the server serves. Settled once, when it starts, and locked from then on.
#include <optional>
#include <string>

#include "runtime/base/result.h"

namespace snapgen::tools {

struct WorkspaceRequest {
  std::optional<std::string> argument;  // --workspace
  std::optional<std::string> variable;  // SNAPBACK_WORKSPACE_ROOT
  std::string current_folder;

  // What the process's surroundings say.
  static WorkspaceRequest of_process(std::optional<std::string> argument);
};

// A folder is a workspace if it holds `.git`, `.snapback/` or `package.json`. The argument decides, else the
// variable, else the nearest folder from the current one upwards. Absolute, symlinks resolved. Errors:
// not_found, with what to do; details {"workspace": ...} where a folder was named.
Result<std::string> resolve_workspace(const WorkspaceRequest& request);

}  // namespace snapgen::tools
