#pragma once
// diff: what changed between two sets of schema files, for hosts that were made for the older one.
//
// A host sends arguments that fitted the old schemas, and reads results that fit the new ones. So an input
// that takes less than before breaks hosts, and an output that holds what it could not hold before does, too,
// where a reader would trip over it: another kind of value, a new value of an enum, a member that may be
// missing or is gone. New optional members, longer texts and greater numbers in outputs are not counted as
// breaking. Lines of fields are compared as diff_wire says.
#include <string>
#include <vector>

#include "codegen/understand.h"

namespace snapgen::codegen {

struct Change {
  bool breaking = false;
  std::string tool;     // snapshot.create
  std::string pointer;  // Into the Tool object or x-snapgen; empty for the tool as a whole.
  std::string sentence;
  auto operator<=>(const Change&) const = default;
};

// In order of tool and pointer. Neither side has findings.
std::vector<Change> compare(const Understood& old_set, const Understood& new_set);

// "breaking: snapshot.create /inputSchema/properties/paths: it is required now", one line each.
std::string report(const std::vector<Change>& changes, bool colour);
// {"breaking":1,"changes":[{"breaking":true,"pointer":"...","sentence":"...","tool":"..."}]} and a line
// break.
std::string report_json(const std::vector<Change>& changes);

}  // namespace snapgen::codegen
