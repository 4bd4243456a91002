#pragma once
// The tool that somebody meant who named one that there is not.
#include <span>
#include <string_view>

#include "runtime/mcp/tool.h"

namespace snapgen::mcp {

// Whether two names are the same but for `.`, `_`, `-` and case.
bool same_name(std::string_view a, std::string_view b);

// Null: nobody knows. A family's prefix, which many names share, says nothing of what is meant: only what is
// behind it is compared. What destroys is proposed for a slip of one or two letters, or for all words that
// were said, and nothing else.
const Tool* meant_tool(std::string_view name, std::span<const Tool* const> tools);

}  // namespace snapgen::mcp
