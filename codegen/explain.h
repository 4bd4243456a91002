#pragma once
// explain: describes the generated code of one schema file to its author.
#include <string>

#include "codegen/stages.h"

namespace snapgen::codegen {

struct ExplainSettings {
  std::string handlers = "tools";  // The folder of the handlers, from the project's root.
};

// Describes a file of `all`, which must not have findings: its names, its C++ types, what its reader rejects,
// and, for a tool, what hosts see. Returns an empty text if no file has this `path`.
std::string explain(const StageResults& all, const std::string& path, const ExplainSettings& settings);

}  // namespace snapgen::codegen
