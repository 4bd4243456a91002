#pragma once
// What a host tells its model about the server as a whole, of the tools that are shown.
#include <string>
#include <string_view>

#include "runtime/mcp/tool.h"

namespace snapgen::tools {

// Names no tool that `profile`, one of the set's, does not show. At most 2048 bytes.
// Tools have the names that the list has.
std::string instructions_of(const mcp::ToolSet& tools, std::string_view profile, mcp::Spelling spelling);

}  // namespace snapgen::tools
