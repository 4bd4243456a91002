#pragma once
// PlanBuilder converts schemas to the steps of a plan (see plan.h). compile_plan() uses it.
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/json/schema/compile.h"
#include "runtime/json/schema/keyword.h"

namespace snapgen::json {

class PlanBuilder {
 public:
  PlanBuilder(SchemaResources& resources, const PlanOptions& options, OwnedPlan& plan,
              SchemaProblems& problems)
      : resources_(resources), options_(options), plan_(plan), problems_(problems) {}

  void run(const std::vector<const Node*>& roots);

 private:
  void make_pending_steps();  // Makes the steps of all schemas in schema_nodes_ that have none.
  void make_steps(std::uint32_t index);
  void finish_dynamic_references();
  void reject_reference_cycles();

  // These are in keywords.cc: keywords that constrain the value itself.
  void add_value_steps(const Keywords& keywords, const Dialect& dialect);
  void add_type(const Member& member);
  void add_enumeration(const Member& member);
  void add_count_limit(const Keywords& keywords, Keyword keyword, Op op);
  void add_number_limit(const Keywords& keywords, Keyword keyword, Op op);
  void add_pattern(const Member& member);
  void add_format(const Member& member);
  void add_required(const Member& member);

  // These are in applicators.cc: keywords that contain schemas.
  void add_applicators(const Keywords& keywords, const Dialect& dialect);
  void add_references(const Node& schema, const Keywords& keywords);
  void add_combination(const Member* member, Op op);
  void add_condition(const Keywords& keywords);
  void add_elements(const Keywords& keywords, const Dialect& dialect);
  void add_contains(const Keywords& keywords);
  void add_members(const Keywords& keywords);
  void add_closed_members_check(const Keywords& keywords);
  std::uint32_t false_schema();  // Returns the index of the schema `false`.
  void add_dependent_schemas(const Member& member);
  void add_dependent_required(const Member& member);
  void add_dependencies(const Member& member);

  std::uint32_t schema_index(const Node& node);  // Returns the schema's index.
  // The same as schema_index(); reports an invalid one.
  std::uint32_t subschema_index(const Member& member, const Node& node);
  std::uint32_t text_index(std::string_view text);
  std::uint32_t pattern_index(const Member& member, std::string_view source, std::size_t offset);
  PlanConstant constant_of(const Node& node);
  std::vector<std::uint32_t> read_name_list(const Member& member, const Node& list);
  std::uint32_t append_list(const std::vector<std::uint32_t>& list);
  void add_step(Op op, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0);
  bool expect_kind(const Member& member, const Node& node, Kind kind, std::string_view words);
  void add_problem(const Node& node, std::string message);

  SchemaResources& resources_;
  const PlanOptions& options_;
  OwnedPlan& plan_;
  SchemaProblems& problems_;

  std::unordered_map<const Node*, std::uint32_t> schema_indexes_;
  std::vector<const Node*> schema_nodes_;  // The schemas by index; null for false_schema().
  std::size_t finished_count_ = 0;
  bool has_false_schema_ = false;
  std::uint32_t false_schema_ = 0;
  const Node* current_schema_ = nullptr;  // The schema whose steps are being made.
  std::vector<Step> steps_;               // Its steps so far.
  std::map<std::string, std::uint32_t, std::less<>> text_indexes_;
  std::map<std::string, std::uint32_t, std::less<>> pattern_indexes_;
  std::vector<std::string> dynamic_anchors_;  // The names of dynamic references, whose `b` is the index.
};

}  // namespace snapgen::json
