#pragma once
// explain: describes the generated code of one schema file to its author.
#include <string>

#include "codegen/stages/stages.h"

namespace snapgen::codegen {

// Describes a file of `all`, which must not have findings: its names, its C++ types, what its reader rejects,
// and, for a tool, what hosts see. Returns an empty text if no file has this `path`.
// `handlers` is the folder of the handlers, from the project's root.
std::string explain(const StageResults& all, const std::string& path, const std::string& handlers);

}  // namespace snapgen::codegen
