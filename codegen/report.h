#pragma once
// report: prints findings for people and for editors.
#include <string>
#include <vector>

#include "codegen/finding.h"

namespace snapgen::codegen {

// Returns one line for each finding, as line() does. `colour` adds terminal escape sequences.
std::string report_text(const std::vector<Finding>& findings, bool colour);

// Returns the findings as JSON and a line break:
// {"findings":[{"column":7,"file":"...","line":12,"pointer":"/a","proposal":"...","sentence":"..."}]} Omits
// `line` and `column` for a whole file, and an empty `proposal`.
std::string report_json(const std::vector<Finding>& findings);

}  // namespace snapgen::codegen
