#pragma once
// understand: the stages before any emitter, in their order: load, resolve, check, model, name, plans. What
// is made of schema files, C++, TypeScript or pages, is made of this.
#include <memory>
#include <vector>

#include "codegen/check.h"
#include "codegen/finding.h"
#include "codegen/load.h"
#include "codegen/model.h"
#include "codegen/plans.h"
#include "codegen/profile.h"
#include "codegen/resolve.h"
#include "codegen/wire.h"

namespace snapgen::codegen {

// The parts point into each other and keep their addresses when the whole is moved.
struct Understood {
  Findings findings;  // If there are any, the rest is not to be emitted.
  Sources sources;
  Resolved resolved;
  Checked checked;
  Plans plans;
  Model model;  // Its tools are those of emitted files.
  std::vector<ProfileModel> profiles;
  WireModel wire;
};

// `texts` may hold <schemas>/profiles.json, which is no schema.
Understood understand(std::vector<SourceText> texts, const Settings& settings);

}  // namespace snapgen::codegen
