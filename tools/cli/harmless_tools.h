#pragma once
// Chooses the tools that `snap init` lets hosts call without a question.
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/cli/command.h"

namespace snapgen::tools {

// The tools of the profile that a host may call without a question.
struct HarmlessTools {
  // Destructive tools that are limited to the workspace, about which Codex would ask. Their changes can be
  // undone, because no argument loses content without the user's consent.
  std::vector<std::string> undoable;
  std::vector<std::string> read_only;  // Tools that only read the workspace.
};

// Returns those of the tools that `profile` lists in the chosen workspace. Errors: invalid_argument (there is
// no such profile).
Result<HarmlessTools> harmless_tools(const Invocation& invocation, const std::string& profile);

}  // namespace snapgen::tools
