#pragma once
// compile: all stages in their order. A pure function: the same files give the same code, in whatever order
// they come.
#include <map>
#include <string>
#include <vector>

#include "codegen/load.h"

namespace snapgen::codegen {

struct Compiled {
  std::vector<std::string> findings;  // Sorted, one line each; if there are any, there are no files.
  std::map<std::string, std::string>
      files;  // From the project's root, with `/`: schemas/substrate/snapshot_create.h
};

// `texts` may hold <schemas>/profiles.json, which is no schema.
Compiled compile(std::vector<SourceText> texts, const Settings& settings);

}  // namespace snapgen::codegen
