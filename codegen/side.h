#pragma once
// side: schema files from wherever a comparison names them: a folder, one file with what it refers to, or a
// folder of a git revision.
#include <string>

#include "codegen/understand.h"
#include "runtime/base/result.h"

namespace snapgen::codegen {

// "schemas", "schemas/wire/check.json", "HEAD~1:schemas". Errors: not_found, with what can't be read.
Result<Understood> read_side(const std::string& name);

}  // namespace snapgen::codegen
