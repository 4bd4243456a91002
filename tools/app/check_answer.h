#pragma once
// Formats a CheckReport as a wire line and a summary of less than 200 tokens, and as JSON.
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
  std::string summary;  // One or more sentences about the result.
};

// Selects the findings that an answer lists.
struct FindingSelection {
  std::optional<std::int64_t> limit;  // The number of findings. Nullopt lists as many as fit into 200 tokens.
  bool has_cursors = true;            // True if the answer names a cursor for the rest.
};

// `mode` is the form of the wire line, whose length decides how long the summary may be.
CheckAnswer format_check_answer(const CheckedWork& work, const FindingSelection& list, linefmt::Mode mode);

// Returns the whole report, which is sorted, as JSON without members whose value is unknown:
// {"checked":[{"files":...,"tool":...}],"findings":[{"code":...,"column":...,"earlier":...,"error":...,"line":...,
// "message":...,"path":...}],"left_out":...,"notes":[...],"skipped":[...],"tests":{...}}
std::string check_report_json(const core::CheckReport& report);

}  // namespace snapgen::tools
