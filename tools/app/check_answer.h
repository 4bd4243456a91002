#pragma once
// Formats a CheckReport as a line and a summary of less than 200 tokens, and as JSON.
#include <string>
#include <string_view>

#include "runtime/linefmt/line.h"
#include "schemas/lines.h"
#include "tools/insight/check/report.h"

namespace snapgen::tools {

struct CheckAnswer {
  lines::CheckLine line;
  std::string summary;  // One or more sentences.
};

// `report`: sorted. `title`: for example "Full check". `mode`: the form of the line, which decides how long
// the summary may be.
CheckAnswer check_answer(const core::CheckReport& report, std::string_view title, linefmt::Mode mode);

// The whole report as JSON without unknown members. `report`: sorted.
//   {"checked":[{"files":...,"tool":...}],"findings":[{"code":...,"column":...,"error":...,"line":...,
//   "message":...,"path":...}],"left_out":...,"notes":[...],"skipped":[...],"tests":{...}}
std::string check_json(const core::CheckReport& report);

}  // namespace snapgen::tools
