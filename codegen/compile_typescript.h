#pragma once
// compile_typescript: schema files in, TypeScript declarations out.
#include "codegen/compile.h"

namespace snapgen::codegen {

// The files' paths are seen from the folder they are written to: snapgen.d.ts, json.d.ts, and one module for
// each folder of schemas: substrate.d.ts.
Compiled compile_typescript(std::vector<SourceText> texts, const Settings& settings);

}  // namespace snapgen::codegen
