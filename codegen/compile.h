#pragma once
// compile: runs all stages. It is a pure function: the same files give the same code, whatever their order.
#include <map>
#include <string>
#include <vector>

#include "codegen/load.h"

namespace snapgen::codegen {

struct CompiledFiles {
  std::vector<std::string> findings;  // Errors, one line each, sorted. If there are any, `files` is empty.
  std::map<std::string, std::string>
      // The generated files by path from the project's root, with `/`: schemas/substrate/snapshot_create.h.
      files;
};

// `texts` may contain <schemas>/profiles.json, which is not a schema.
CompiledFiles compile(std::vector<SourceText> texts, const Settings& settings);

}  // namespace snapgen::codegen
