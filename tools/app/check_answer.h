#pragma once
// Formats a CheckReport as a line and a summary of less than 200 tokens, and as JSON.
#include <cstdint>
#include <optional>
#include <string>

#include "runtime/linefmt/line.h"
#include "schemas/lines.h"
#include "tools/app/check_work.h"
#include "tools/insight/check/report.h"

namespace snapgen::tools {

struct CheckAnswer {
  lines::CheckLine line;
  std::string summary;  // One or more sentences.
};

// Which findings an answer lists.
struct FindingList {
  std::optional<std::int64_t> limit;  // Default: some that fit into 200 tokens.
  bool has_cursors = true;            // Name a cursor for the rest.
};

// `mode`: the form of the line, which decides how long the summary may be.
CheckAnswer check_answer(const CheckedWork& work, const FindingList& list, linefmt::Mode mode);

// The whole report as JSON without unknown members. `report`: sorted.
//   {"checked":[{"files":...,"tool":...}],"findings":[{"code":...,"column":...,"error":...,"line":...,
//   "message":...,"path":...}],"left_out":...,"notes":[...],"skipped":[...],"tests":{...}}
std::string check_json(const core::CheckReport& report);

}  // namespace snapgen::tools
