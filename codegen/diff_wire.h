#pragma once
// diff_wire: how the lines differ that a tool answers with (x-snapgen.wire).
//
// Hosts read labeled lines by their names and compact ones by their places. So what is taken away, moved,
// renamed or written otherwise breaks them, and so does a value or a line that they never saw; a field that
// is added behind all others does not.
#include <string>
#include <vector>

#include "codegen/wire.h"

namespace snapgen::codegen {

struct WireChange {
  bool breaking = false;
  std::string pointer;  // Of the newer file, or of the older for what is gone.
  std::string sentence;
};

std::vector<WireChange> compare_wire(const WireModel& before, const ToolFile& old_tool,
                                     const WireModel& after, const ToolFile& new_tool);

}  // namespace snapgen::codegen
