#pragma once
// fitting: checks that a schema's limits apply to its type and can be met. Part of the model stage.
#include "codegen/schema.h"

namespace snapgen::codegen {

// Reports limits that every allowed value meets (they were meant for another type), and limits that no value
// can meet.
void check_limits(const Schema& schema, Findings& findings);

}  // namespace snapgen::codegen
