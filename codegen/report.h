#pragma once
// report: findings for people and for editors.
#include <string>
#include <vector>

#include "codegen/finding.h"

namespace snapgen::codegen {

// One line each, as line(); `colour`: with the escape sequences of a terminal.
std::string report(const std::vector<Finding>& findings, bool colour);

// {"findings":[{"column":7,"file":"...","line":12,"pointer":"/a","proposal":"...","sentence":"..."}]} and a
// line break; without `line` and `column` if the file as a whole is meant, without `proposal` if there is
// none.
std::string report_json(const std::vector<Finding>& findings);

}  // namespace snapgen::codegen
