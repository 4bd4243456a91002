#pragma once
// profile: named sets of tools for tools/list.
#include <string>
#include <vector>

#include "codegen/model.h"

namespace snapgen::codegen {

struct ProfileModel {
  std::string name;
  std::vector<std::size_t> tools;  // Indexes into Model::tools.
};

// One per family, `full` for all, and those in `file` (schemas/profiles.json), which may be null:
//   {"$schema": "meta/profiles.json", "wire": {"families": ["wire"], "tools": ["snapshot.list"]}}
std::vector<ProfileModel> make_profiles(const Model& model, const File* file, Findings& findings);

}  // namespace snapgen::codegen
