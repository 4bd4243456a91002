#pragma once
// understand: runs the stages before the emitters: load, resolve, check, model, name, plans. All output (C++,
// TypeScript, pages) is generated from its result.
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

// The parts point to each other; moving the whole keeps their addresses valid.
struct Understood {
  Findings findings;  // If there are any, the rest must not be emitted.
  Sources sources;
  Resolved resolved;
  Checked checked;
  Plans plans;
  Model model;  // Its tools are those of emitted files.
  std::vector<ProfileModel> profiles;
  WireModel wire;
};

// `texts` may contain <schemas>/profiles.json, which is not a schema.
Understood understand(std::vector<SourceText> texts, const Settings& settings);

}  // namespace snapgen::codegen
