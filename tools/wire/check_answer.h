#pragma once
// A CheckReport as a line and a summary, below 200 tokens.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/mcp/content.h"
#include "tools/insight/check/report.h"

namespace snapgen::tools {

// `title`: "Full check". `first`: paths, sorted, whose findings are named first.
mcp::Text check_answer(core::CheckReport report, std::string_view title,
                       const std::vector<std::string>& first, bool compact);

// All that the report has, as JSON:
// {"findings":[{"code":...,"column":...,"error":...,"line":...,"message":...,
// "path":...}],"notes":[...],"skipped":[...],"tests":{...}}; what is unknown is left out.
std::string check_log(core::CheckReport report, const std::vector<std::string>& first);

}  // namespace snapgen::tools
