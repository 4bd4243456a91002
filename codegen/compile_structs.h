#pragma once
// compile_structs: makes structs, readers and writers for foreign schemas: any JSON Schema of draft 2020-12
// or 7.
#include <vector>

#include "codegen/compile_validators.h"

namespace snapgen::codegen {

// Emits x_structs.h and x_structs.cc beside each emitted text x.json and each text it refers to. They have a
// type for the root and for each of its `$defs` or `definitions`. Schemas that cannot become structs become
// json::Raw, and a plan checks constraints that a struct cannot express. Structs retain unknown members,
// defaults are not applied, and colliding names are numbered. Findings have the form of compile_validators.
// `formats_asserted` applies to validators only.
CompiledFiles compile_structs(std::vector<SourceText> texts, const ValidatorSettings& settings);

}  // namespace snapgen::codegen
