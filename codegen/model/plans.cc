#include "codegen/model/plans.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace snapgen::codegen {
namespace {

// Calls see() for the type of each field, of the items and of each alternative.
template <class See>
void each_part(const Type& type, See see) {
  for (const Field& field : type.fields)
    if (field.type) see(*field.type);
  if (type.item) see(*type.item);
  for (const Alternative& each : type.alternatives) see(*each.type);
}

bool reads_alone(const Type& type) { return type.declared && type.schema->node; }

bool asks_for_plan(const Type& type) {
  const auto needs_validator = [](const Field& field) {
    return !field.type && !resolved(*field.schema).validator_constraints.empty();
  };
  return type.checked_by_plan || std::ranges::any_of(type.fields, needs_validator);
}

// Returns whether the type, or a type read within it, needs a plan.
bool needs_plan(const Type& type) {
  std::set<const Type*> seen;
  std::function<bool(const Type&)> needs = [&](const Type& each) {
    if (!seen.insert(&each).second) return false;
    if (asks_for_plan(each)) return true;
    bool found = false;
    each_part(each, [&](const Type& part) { found = found || (!reads_alone(part) && needs(part)); });
    return found;
  };
  return needs(type);
}

// Returns whether the type contains a dynamic reference that depends on the evaluation path.
bool is_dynamic(const Type& type) {
  std::set<const Type*> seen;
  std::function<bool(const Type&)> is = [&](const Type& each) {
    if (!seen.insert(&each).second) return false;
    if (find_validator_constraint(*each.schema, "$dynamicRef")) return true;
    bool found = false;
    each_part(each, [&](const Type& part) { found = found || is(part); });
    return found;
  };
  return is(type);
}

class PlanMaker {
 public:
  explicit PlanMaker(const PlanInputs& inputs) : inputs_(inputs), resources_(inputs.resolved.resources) {}

  std::unique_ptr<json::OwnedPlan> compile(const File& file, const std::vector<const json::Node*>& roots) {
    json::SchemaProblems problems;
    if (!resources_) resources_ = make_schema_resources(inputs_.sources, problems);
    const json::PlanOptions options{.formats_asserted = formats_asserted(file),
                                    .rejects_unknown_members = [this](const json::Node& schema) {
                                      return inputs_.checked.closed_inputs.count(&schema) != 0 ||
                                             inputs_.model.closed_objects.count(&schema) != 0;
                                    }};
    auto plan = json::compile_plan(*resources_, roots, options, problems);
    for (const json::SchemaProblem& each : problems) {
      if (const File* at = inputs_.sources.find(each.document))
        inputs_.findings.add(location_at(*at, each.offset), each.message);
      else
        inputs_.findings.add(file.path, each.message);
    }
    return plan;
  }

 private:
  const PlanInputs& inputs_;
  std::shared_ptr<json::SchemaResources> resources_;
};

}  // namespace

Plans make_plans(const PlanInputs& inputs) {
  Plans plans;
  const Model& model = inputs.model;
  // Plans cannot be made of invalid schemas.
  if (!inputs.findings.empty()) return plans;
  if (std::ranges::none_of(model.types, [](const auto& each) { return asks_for_plan(*each); })) return plans;
  PlanMaker maker(inputs);
  const bool dynamic = std::ranges::any_of(model.types, [](const auto& each) {
    return find_validator_constraint(*each->schema, "$dynamicRef") != nullptr;
  });
  for (const SourceUnit& unit : model.units) {
    std::vector<const json::Node*> roots;
    UnitPlan made;
    for (const Type* type : unit.types) {
      if (!reads_alone(*type) || !(needs_plan(*type) || (dynamic && is_dynamic(*type)))) continue;
      // If several types have the same schema, they share a root of the plan.
      auto found = std::ranges::find(roots, type->schema->node);
      made.roots.emplace(type, static_cast<std::uint32_t>(found - roots.begin()));
      if (found == roots.end()) roots.push_back(type->schema->node);
    }
    if (roots.empty()) continue;
    made.plan = maker.compile(*unit.file, roots);
    plans.emplace(unit.file, std::move(made));
  }
  return plans;
}

std::map<const File*, std::unique_ptr<json::OwnedPlan>> make_plans(const PlanInputs& inputs,
                                                                   const Roots& roots) {
  PlanMaker maker(inputs);
  std::map<const File*, std::unique_ptr<json::OwnedPlan>> plans;
  for (const auto& [file, schemas] : roots) plans.emplace(file, maker.compile(*file, schemas));
  return plans;
}

std::unique_ptr<json::OwnedPlan> make_plan(const PlanInputs& inputs, const Schema& root) {
  return PlanMaker(inputs).compile(*root.location.file, {root.node});
}

}  // namespace snapgen::codegen
