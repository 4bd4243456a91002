#pragma once
// Makes the server's instructions: its purpose, and when to use the listed tools.
#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/mcp/tool.h"

namespace snapgen::tools {

// The limit of the strictest host, which shows only this much of the instructions and repeats it with every
// tool.
inline constexpr std::size_t instructions_bytes_max = 250;

// Mentions only tools that `profile`, one of the set's profiles, lists; the names are those in tools/list.
std::string instructions_of(const mcp::ToolSet& tools, std::string_view profile, mcp::Spelling spelling);

}  // namespace snapgen::tools
