#pragma once
// The rules in a host's settings (HostForm::permissions_file) that let the host call tools without asking.
// They are in the form of Claude Code: permissions.allow is a list of names such as
// mcp__snapgen__snapshot_file.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::tools {

// Returns the rule for a tool of the server with this name in the host's file.
std::string permission_for(std::string_view server, std::string_view tool);

// Returns the settings with these rules; the others are unchanged. An empty text means that there is no file.
// Errors: as checked_json(); invalid_argument (permissions.allow is no list of texts).
Result<std::string> with_permissions(std::string_view text, const std::vector<std::string>& rules);

// Returns the settings without the rules for tools of this server. Errors: as with_permissions().
Result<std::string> without_permissions(std::string_view text, std::string_view server);

}  // namespace snapgen::tools
