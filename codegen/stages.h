#pragma once
// run_stages: runs the stages before the emitters: load, resolve, check, model, name, plans. All output (C++,
// TypeScript, pages) is generated from its result.
#include <vector>

#include "codegen/check.h"
#include "codegen/finding.h"
#include "codegen/load.h"
#include "codegen/model.h"
#include "codegen/plans.h"
#include "codegen/resolve.h"
#include "codegen/wire.h"

namespace snapgen::codegen {

// A named set of tools for tools/list.
struct ProfileModel {
  std::string name;
  std::vector<std::size_t> tools;  // Indices into Model::tools.
};

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
};

// Runs the stages. `texts` may contain <schemas>/profiles.json, which is not a schema.
StageResults run_stages(std::vector<SourceText> texts, const Settings& settings);

// Called by run_stages(). Checks that every example and default in the schema files fits its schema.
void check_examples(StageResults& all);

// Called by run_stages(). Returns one profile per family, `full` with all tools, and those in `file`
// (schemas/profiles.json), which may be null:
// {"$schema": "meta/profiles.json", "wire": {"families": ["wire"], "tools": ["snapshot.list"]}}
std::vector<ProfileModel> make_profiles(const Model& model, const File* file, Findings& findings);

}  // namespace snapgen::codegen
