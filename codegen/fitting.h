#pragma once
// fitting: whether what a schema asks of a value can be asked of values of its type, and can be met. Part of
// the model stage.
#include "codegen/schema.h"

namespace snapgen::codegen {

// Limits that no allowed value can break were meant for something else, and those that none can keep for
// nothing.
void check_limits(const Schema& schema, Findings& findings);

}  // namespace snapgen::codegen
