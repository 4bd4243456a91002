#pragma once
// diff_wire: compares the lines of a tool's answers (x-snapgen.wire).
//
// Hosts read labeled lines by name and compact ones by position. So removing, moving, renaming or
// reformatting a field breaks them, as does a new value or line. Appending a field does not.
#include <string>
#include <vector>

#include "codegen/lines/line_formats.h"

namespace snapgen::codegen {

struct WireChange {
  bool breaking = false;
  std::string pointer;  // The location in the newer file, or in the older one if something was removed.
  std::string sentence;
};

std::vector<WireChange> compare_wire(const WireModel& before, const ToolFile& old_tool,
                                     const WireModel& after, const ToolFile& new_tool);

}  // namespace snapgen::codegen
