#pragma once
// compile_structs: structs, readers and writers for schemas of others: any JSON Schema of draft 2020-12 or 7.
#include <vector>

#include "codegen/compile_validators.h"

namespace snapgen::codegen {

// Of each emitted text x.json, and of those that it refers to: x_structs.h and x_structs.cc beside its path,
// with a type for the whole and for each of its `$defs` or `definitions`. What has no shape is a json::Raw;
// what a struct can't say, its reader asks of a plan. A struct keeps members that it has no name for,
// defaults are left to whoever reads, and names that collide are numbered. What is wrong is said as
// compile_validators says it. `formats_asserted` is for validators alone.
Compiled compile_structs(std::vector<SourceText> texts, const ValidatorSettings& settings);

}  // namespace snapgen::codegen
