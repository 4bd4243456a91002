#pragma once
// diff: compares two sets of schema files and reports changes that break existing hosts.
//
// A host sends arguments that fit the old schemas and reads results that fit the new ones. So an input breaks
// hosts if it accepts less than before. An output breaks them if a result is possible that was not before:
// another kind of value, a new enum value, a number or length beyond the old limits, or an object without a
// member. New members are not breaking, because readers ignore them. A changed default of an input breaks
// hosts, because calls without the argument mean something else. For wire lines see diff_wire.
#include <string>
#include <vector>

#include "codegen/stages/stages.h"
#include "runtime/base/result.h"

namespace snapgen::codegen {

// One of the two sets of schema files.
struct ComparisonSide {
  StageResults all;
  std::string prefix;  // What precedes the paths in `all` for the user, such as "" or "HEAD:".
};

struct Change {
  bool breaking = false;
  std::string tool;     // The name, such as snapshot.create.
  std::string pointer;  // A JSON Pointer into the Tool object or x-snapgen; empty for the whole tool.
  std::string sentence;
  std::string file;  // Where it is: in the new file, or the old one if there is no new one.
  LineAndColumn position = {};
};

struct Comparison {
  std::vector<Change> changes;  // Sorted by tool and pointer.
  // The files, sorted, whose tools were not compared, because they or files that they refer to have faults.
  std::vector<std::string> left_out;
};

Comparison compare(const ComparisonSide& old_side, const ComparisonSide& new_side);

// Returns the changes as text, one per line: "schemas/snapshot/create.json:12:7: breaking: snapshot.create
// /inputSchema/properties/paths: it is required now".
std::string report_text(const std::vector<Change>& changes, bool colour);
// Returns the changes as JSON and a line break:
// {"breaking":1,"changes":[{"breaking":true,"column":7,"file":"...","line":12,"pointer":"...","sentence":"...",
// "tool":"..."}]}
std::string report_json(const std::vector<Change>& changes);

// Reads one side of a comparison: a folder, one file with the files it refers to, or a folder of a git
// revision. `name` is like "schemas", "schemas/wire/check.json" or "HEAD~1:schemas". Errors: not_found (names
// the file that cannot be read).
Result<ComparisonSide> read_comparison_side(const std::string& name);

}  // namespace snapgen::codegen
