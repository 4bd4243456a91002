#pragma once
// run_stages: runs the stages before the emitters: load, resolve, check, model, name, plans. All output (C++,
// TypeScript, pages) is generated from its result.
#include <vector>

#include "codegen/front/check.h"
#include "codegen/front/finding.h"
#include "codegen/front/load.h"
#include "codegen/front/resolve.h"
#include "codegen/lines/line_formats.h"
#include "codegen/model/model.h"
#include "codegen/model/plans.h"
#include "codegen/stages/profiles.h"

namespace snapgen::codegen {

// The results of the stages, which point to each other. Their addresses remain valid if a StageResults is
// moved.
struct StageResults {
  Findings findings;  // If there are any, nothing may be emitted from the rest.
  Sources sources;
  ResolvedSchemas resolved;
  CheckedSchemas checked;
  Plans plans;
  Model model;  // The model, which has only the tools whose code is emitted.
  std::vector<ProfileModel> profiles;
  WireModel wire;

  PlanInputs plan_inputs() {
    return {
        .sources = sources, .resolved = resolved, .checked = checked, .model = model, .findings = findings};
  }
};

// Runs the stages. `texts` may contain <schemas>/profiles.json, which is not a schema.
StageResults run_stages(std::vector<SourceText> texts, const Settings& settings);

}  // namespace snapgen::codegen
