#pragma once
// Converts a tool's error to text for models: "CODE: sentence, and what to do", followed by details that a
// next call needs.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mcp/tool.h"
#include "schemas/facade/next_action.h"

namespace snapgen::tools {

// Returns the code that the tool's answer has for the error.
std::string_view error_code_text(const mcp::Tool& tool, const Error& error);

// Returns the text of an error of this tool. An error of the wire family is the line that `write_error`
// writes.
std::string error_text(const mcp::Tool& tool, const Error& error, mcp::ErrorWriter write_error);

// Returns lines with the calls that an answer proposes.
std::string next_actions_text(const std::vector<NextAction>& actions);

}  // namespace snapgen::tools
