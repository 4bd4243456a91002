#pragma once
// plans: what structs can't say of the values of each file, compiled for the general validator. After the
// name stage.
#include <map>
#include <memory>
#include <vector>

#include "codegen/model.h"
#include "runtime/json/schema/compile.h"

namespace snapgen::codegen {

// Of one file; `roots` are its types whose readers ask the plan, with the root that each asks by.
struct UnitPlan {
  std::unique_ptr<json::OwnedPlan> plan;
  std::map<const Type*, std::uint32_t> roots;

  // None if a reader asks nothing of a plan.
  std::optional<std::uint32_t> root_of(const Type& type) const {
    const auto found = roots.find(&type);
    return found == roots.end() ? std::nullopt : std::optional(found->second);
  }
};

using Plans = std::map<const File*, UnitPlan>;

// What the general validator refuses about a schema is a finding. Files whose structs say everything have no
// plan.
Plans make_plans(const Sources& sources, const Resolved& resolved, const Checked& checked, const Model& model,
                 Findings& findings);

// Schemas of each file.
using Roots = std::map<const File*, std::vector<const json::Node*>>;

// The whole of these schemas for the general validator, by the place of each in its list.
std::map<const File*, std::unique_ptr<json::OwnedPlan>> make_plans(const Sources& sources,
                                                                   const Resolved& resolved,
                                                                   const Checked& checked, const Model& model,
                                                                   const Roots& roots, Findings& findings);

// All that a tool's reader checks, by the general validator alone, whether its struct says everything or not.
std::unique_ptr<json::OwnedPlan> make_plan(const Sources& sources, const Resolved& resolved,
                                           const Checked& checked, const Model& model, const Schema& root,
                                           Findings& findings);

}  // namespace snapgen::codegen
