#pragma once
// compile_validators: compiles any JSON Schema of draft 2020-12 or 7 to a validator. compile(), in contrast,
// makes structs, which not every schema can become.
#include <string>
#include <utility>
#include <vector>

#include "codegen/compile.h"
#include "codegen/load.h"

namespace snapgen::codegen {

struct ValidatorSettings {
  std::string name_space;
  bool formats_asserted = false;
  // The location of documents that are named by URI, as pairs: URI prefix, path prefix.
  std::vector<std::pair<std::string, std::string>> bases;
};

// Maps a document's URI to a path by the prefixes in `bases`; returns the URI if none matches.
std::string path_of_uri(const std::string& uri, const ValidatorSettings& settings);

// Generates a header and a source for each text whose `emitted` is true, with a function that validates a
// value against the root and one for each of its `$defs` or `definitions`. Texts may refer to each other by
// path, `$id`, or `bases`.
CompiledFiles compile_validators(std::vector<SourceText> texts, const ValidatorSettings& settings);

}  // namespace snapgen::codegen
