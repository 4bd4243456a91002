#pragma once
// examples: checks that every example and default in the schema files fits its schema.
#include "codegen/check.h"
#include "codegen/model.h"
#include "codegen/plans.h"

namespace snapgen::codegen {

void check_examples(const Sources& sources, const ResolvedSchemas& resolved, const CheckedSchemas& checked,
                    const Model& model, Findings& findings);

}  // namespace snapgen::codegen
