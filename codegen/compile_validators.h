#pragma once
// compile_validators: any JSON Schema of draft 2020-12 or 7, whether it has a shape or not, as a compiled-in
// validator. Beside compile(), which makes structs of what has one.
#include <string>
#include <utility>
#include <vector>

#include "codegen/compile.h"
#include "codegen/load.h"

namespace snapgen::codegen {

struct ValidatorSettings {
  std::string name_space;
  bool formats_asserted = false;
  // Where documents named by a URI are: (prefix of URIs, prefix of paths).
  std::vector<std::pair<std::string, std::string>> bases;
};

// Where the document of a URI is, by the bases; the URI itself where none fits.
std::string path_of(const std::string& uri, const ValidatorSettings& settings);

// For each emitted text: a header and a source beside its path, with a function that validates a value
// against the whole or against one of its `$defs` or `definitions`. Texts refer to each other by path, by
// `$id`, or by base.
Compiled compile_validators(std::vector<SourceText> texts, const ValidatorSettings& settings);

}  // namespace snapgen::codegen
