#pragma once
// compile_plan: a JSON Schema of draft 2020-12 or 7, with all that it refers to, as a Plan.
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/json/schema/plan.h"
#include "runtime/json/schema/resources.h"

namespace snapgen::json {

// A plan with its data.
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
  std::deque<std::string> strings;  // What the others view.
  std::deque<Pattern> made_patterns;
};

struct PlanOptions {
  bool formats_asserted = false;  // `format` is an annotation otherwise, unless the metaschema says more.
  // Objects that take no members but those that are described, without saying so. Empty: none.
  std::function<bool(const Node& schema)> closes;
};

// `roots` are schemas of documents of `resources`; the plan's first schemas are they, in their order. What is
// wrong with them, or with a schema that they lead to, is in `problems`; then the plan is good for nothing.
std::unique_ptr<OwnedPlan> compile_plan(SchemaResources& resources, const std::vector<const Node*>& roots,
                                        const PlanOptions& options, SchemaProblems& problems);

// Of one text that refers to nothing outside of itself but metaschemas. Errors: invalid_argument, with the
// first problem as `line:column: /pointer: sentence`.
Result<std::unique_ptr<OwnedPlan>> compile_plan(std::string_view schema, const PlanOptions& options = {});

}  // namespace snapgen::json
