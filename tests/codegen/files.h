#pragma once
// Reads schema files from disk, for the tests of the schema compiler.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "codegen/front/load.h"

namespace snapgen::codegen {

inline std::filesystem::path source_root() { return SNAPGEN_SOURCE_ROOT; }

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Returns every *.json below `folder`, which is relative to the project's root.
inline std::vector<SourceText> schema_files(const std::string& folder) {
  std::vector<SourceText> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_root() / folder)) {
    if (entry.path().extension() != ".json") continue;
    found.push_back({.path = entry.path().lexically_relative(source_root()).generic_string(),
                     .text = file_text(entry.path())});
  }
  return found;
}

}  // namespace snapgen::codegen
