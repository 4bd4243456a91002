#pragma once
// side: reads one side of a comparison: a folder, one file with the files it refers to, or a folder of a git
// revision.
#include <string>

#include "codegen/stages.h"
#include "runtime/base/result.h"

namespace snapgen::codegen {

// `name` is like "schemas", "schemas/wire/check.json" or "HEAD~1:schemas". Errors: not_found (names the file
// that cannot be read).
Result<StageResults> read_comparison_side(const std::string& name);

}  // namespace snapgen::codegen
