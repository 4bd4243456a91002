#pragma once
// examples: checks that every example and default in the schema files fits its schema.
#include "codegen/model/plans.h"

namespace snapgen::codegen {

void check_examples(const PlanInputs& inputs);

}  // namespace snapgen::codegen
