#pragma once
// profiles: reads the profiles, which are named sets of tools for tools/list.
#include <string>
#include <vector>

#include "codegen/model/model.h"

namespace snapgen::codegen {

// A named set of tools for tools/list.
struct ProfileModel {
  std::string name;
  std::vector<std::size_t> tools;  // Indices into Model::tools.
};

// Returns one profile per family, `full` with all tools, and those in `file`
// (schemas/profiles.json), which may be null:
// {"$schema": "meta/profiles.json", "wire": {"families": ["wire"], "tools": ["snapshot.list"]}}
std::vector<ProfileModel> make_profiles(const Model& model, const File* file, Findings& findings);

}  // namespace snapgen::codegen
