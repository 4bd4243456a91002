#pragma once
// plans: compiles constraints that structs cannot express into data for the general validator. Runs after the
// name stage.
#include <map>
#include <memory>
#include <vector>

#include "codegen/model/model.h"
#include "runtime/json/schema/compile.h"

namespace snapgen::codegen {

// The plan of one file. `roots` maps each type whose reader uses the plan to its root in it.
struct UnitPlan {
  std::unique_ptr<json::OwnedPlan> plan;
  std::map<const Type*, std::uint32_t> roots;

  // Returns the root of a type in the plan; nullopt if the type's reader does not use the plan.
  std::optional<std::uint32_t> root_of(const Type& type) const {
    const auto found = roots.find(&type);
    return found == roots.end() ? std::nullopt : std::optional(found->second);
  }
};

using Plans = std::map<const File*, UnitPlan>;

// The results of earlier stages that plans are made of. `findings` receives the errors.
struct PlanInputs {
  const Sources& sources;
  const ResolvedSchemas& resolved;
  const CheckedSchemas& checked;
  const Model& model;
  Findings& findings;
};

// Makes the plans. Schemas that the general validator rejects are findings. A file has no plan if its structs
// express everything.
Plans make_plans(const PlanInputs& inputs);

// Schemas for which plans are made, by file.
using Roots = std::map<const File*, std::vector<const json::Node*>>;

// Compiles these schemas completely for the general validator; roots are in the order of each list.
std::map<const File*, std::unique_ptr<json::OwnedPlan>> make_plans(const PlanInputs& inputs,
                                                                   const Roots& roots);

// Compiles everything that a tool's reader checks, including what its struct already expresses.
std::unique_ptr<json::OwnedPlan> make_plan(const PlanInputs& inputs, const Schema& root);

}  // namespace snapgen::codegen
