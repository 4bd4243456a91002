#pragma once
// examples: every example and every default in the schema files fits what it is an example or the default of.
#include "codegen/check.h"
#include "codegen/model.h"
#include "codegen/plans.h"

namespace snapgen::codegen {

void check_examples(const Sources& sources, const Resolved& resolved, const Checked& checked,
                    const Model& model, Findings& findings);

}  // namespace snapgen::codegen
