#pragma once
// Formats a CheckReport as a line and a summary of less than 200 tokens.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/mcp/content.h"
#include "tools/insight/check/report.h"

namespace snapgen::tools {

// `title`: for example "Full check". `first`: sorted paths, whose findings are listed first.
mcp::Text check_answer(core::CheckReport report, std::string_view title,
                       const std::vector<std::string>& first, bool compact);

// The whole report as JSON without unknown members:
//   {"findings":[{"code":...,"column":...,"error":...,"line":...,"message":...,
//   "path":...}],"notes":[...],"skipped":[...],"tests":{...}}
std::string check_log(core::CheckReport report, const std::vector<std::string>& first);

}  // namespace snapgen::tools
