#pragma once
// compile: runs all stages. It is a pure function: the same files give the same code, in any order.
#include <map>
#include <string>
#include <vector>

#include "codegen/load.h"

namespace snapgen::codegen {

struct Compiled {
  std::vector<std::string> findings;  // Sorted, one line each; if there are any, `files` is empty.
  std::map<std::string, std::string>
      files;  // From the project's root, with `/`: schemas/substrate/snapshot_create.h
};

// `texts` may contain <schemas>/profiles.json, which is not a schema.
Compiled compile(std::vector<SourceText> texts, const Settings& settings);

}  // namespace snapgen::codegen
