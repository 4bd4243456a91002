#pragma once
// The server's instructions: what it is for and when to use it, of the tools that are shown.
#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/mcp/tool.h"

namespace snapgen::tools {

// One host shows its model this much of the instructions and nothing else of the server, and repeats them
// with every tool.
inline constexpr std::size_t instructions_bytes_max = 250;

// Names no tool that `profile`, one of the set's, does not show. Tools have the names that the list has.
std::string instructions_of(const mcp::ToolSet& tools, std::string_view profile, mcp::Spelling spelling);

}  // namespace snapgen::tools
