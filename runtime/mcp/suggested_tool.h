#pragma once
// Suggests a tool for an unknown tool name.
#include <span>
#include <string_view>

#include "runtime/mcp/tool.h"

namespace snapgen::mcp {

// Whether two names differ only in `.`, `_`, `-` and case.
bool is_same_name(std::string_view a, std::string_view b);

// Returns the tool that was probably meant, or null. A prefix that both names share, such as the family's, is
// not compared. A destructive tool is suggested only for one or two wrong letters, or for an unambiguous
// abbreviation.
const Tool* suggested_tool(std::string_view name, std::span<const Tool* const> tools);

}  // namespace snapgen::mcp
