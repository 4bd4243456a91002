#pragma once
// diff: compares two sets of schema files and reports changes that break existing hosts.
//
// A host sends arguments that fit the old schemas and reads results that fit the new ones. So an input breaks
// hosts if it accepts less than before. An output breaks them if readers cannot handle it: another kind of
// value, a new enum value, or a member that is removed or optional. New optional members, longer texts and
// larger numbers in outputs are not breaking. For wire lines see diff_wire.
#include <string>
#include <vector>

#include "codegen/stages/stages.h"
#include "runtime/base/result.h"

namespace snapgen::codegen {

struct Change {
  bool breaking = false;
  std::string tool;     // The name, such as snapshot.create.
  std::string pointer;  // A JSON Pointer into the Tool object or x-snapgen; empty for the whole tool.
  std::string sentence;
  auto operator<=>(const Change&) const = default;
};

// Returns changes sorted by tool and pointer. Neither set may have findings.
std::vector<Change> compare(const StageResults& old_set, const StageResults& new_set);

// Returns the changes as text, one per line: "breaking: snapshot.create /inputSchema/properties/paths: it is
// required now".
std::string report_text(const std::vector<Change>& changes, bool colour);
// Returns the changes as JSON and a line break:
// {"breaking":1,"changes":[{"breaking":true,"pointer":"...","sentence":"...","tool":"..."}]}
std::string report_json(const std::vector<Change>& changes);

// Reads one side of a comparison: a folder, one file with the files it refers to, or a folder of a git
// revision. `name` is like "schemas", "schemas/wire/check.json" or "HEAD~1:schemas". Errors: not_found (names
// the file that cannot be read).
Result<StageResults> read_comparison_side(const std::string& name);

}  // namespace snapgen::codegen
