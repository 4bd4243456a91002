#pragma once
// compile_plan: compiles a JSON Schema of draft 2020-12 or 7, with all schemas it refers to, to a Plan.
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/schema/plan.h"
#include "runtime/json/schema/resources.h"

namespace snapgen::json {

// A plan that owns the data it refers to.
class OwnedPlan {
 public:
  OwnedPlan() = default;
  OwnedPlan(const OwnedPlan&) = delete;
  OwnedPlan& operator=(const OwnedPlan&) = delete;

  Plan plan() const;

  std::vector<PlanSchema> schemas;
  std::vector<Step> steps;
  std::vector<std::uint32_t> lists;
  std::vector<std::string_view> texts;
  std::vector<PlanConstant> constants;
  std::vector<const Pattern*> patterns;
  std::deque<std::string> strings;  // The other members have views of these.
  std::deque<Pattern> owned_patterns;
};

struct PlanOptions {
  bool formats_asserted = false;  // Checks `format` even if the metaschema does not.
  // Returns whether an object schema rejects members that it does not describe. If this is null, none does.
  std::function<bool(const Node& schema)> rejects_unknown_members;
};

// Compiles schemas. `roots` are schemas of documents in `resources`; the plan begins with them, in this
// order. If `problems` is not empty, a root or a schema that it refers to is invalid, and the plan must not
// be used.
std::unique_ptr<OwnedPlan> compile_plan(SchemaResources& resources, const std::vector<const Node*>& roots,
                                        const PlanOptions& options, SchemaProblems& problems);

}  // namespace snapgen::json
