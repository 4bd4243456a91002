#pragma once
// explain: what is made of one schema file, for its author to read.
#include <string>

#include "codegen/understand.h"

namespace snapgen::codegen {

struct ExplainSettings {
  std::string handlers = "tools";  // The folder of handlers, from the project's root.
};

// Of a file of `all`, which has no findings: its names, its types in C++, what a reader of it refuses, and,
// of a tool, what hosts see. Empty if `path` is none of the files.
std::string explain(const Understood& all, const std::string& path, const ExplainSettings& settings);

}  // namespace snapgen::codegen
