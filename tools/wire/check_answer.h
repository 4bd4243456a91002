#pragma once
// A CheckReport as a line and a summary, below 200 tokens.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/mcp/content.h"
#include "tools/core/check/report.h"

namespace snapgen::tools {

// `title`: "Full check". `first`: paths, sorted, whose findings are named first.
mcp::Text check_answer(core::CheckReport report, std::string_view title,
                       const std::vector<std::string>& first, bool compact);

}  // namespace snapgen::tools
