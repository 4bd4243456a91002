#pragma once
// compile_typescript: compiles schema files to TypeScript declarations.
#include "codegen/compile.h"

namespace snapgen::codegen {

// Paths of the files are relative to the output folder: snapgen.d.ts, json.d.ts, and one module for each
// folder of schemas, such as substrate.d.ts.
CompiledFiles compile_typescript(std::vector<SourceText> texts, const Settings& settings);

}  // namespace snapgen::codegen
