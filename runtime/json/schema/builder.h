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
  void drain();  // Makes the steps of all schemas in nodes_ that have none.
  void steps_of(std::uint32_t index);
  void finish_dynamic();
  void refuse_circles();

  // These are in keywords.cc: keywords that constrain the value itself.
  void values(const Keywords& said, const Dialect& dialect);
  void type(const Member& member);
  void enumeration(const Member& member);
  void count(const Keywords& said, Keyword keyword, Op op);
  void number(const Keywords& said, Keyword keyword, Op op);
  void pattern(const Member& member);
  void format(const Member& member);
  void required(const Member& member);

  // These are in applicators.cc: keywords that contain schemas.
  void applicators(const Keywords& said, const Dialect& dialect);
  void references(const Node& schema, const Keywords& said);
  void combined(const Member* member, Op op);
  void conditions(const Keywords& said);
  void elements(const Keywords& said, const Dialect& dialect);
  void contains(const Keywords& said);
  void members(const Keywords& said);
  void close(const Keywords& said);
  std::uint32_t nothing();  // Returns the index of the schema `false`.
  void dependent_schemas(const Member& member);
  void dependent_required(const Member& member);
  void dependencies(const Member& member);

  std::uint32_t schema(const Node& node);  // Returns the schema's index.
  // The same as schema(); reports an invalid one.
  std::uint32_t inner(const Member& member, const Node& node);
  std::uint32_t text(std::string_view text);
  std::uint32_t pattern_of(const Member& member, std::string_view source, std::size_t offset);
  PlanConstant constant(const Node& node);
  std::vector<std::uint32_t> names(const Member& member, const Node& list);
  std::uint32_t put(const std::vector<std::uint32_t>& list);
  void step(Op op, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0);
  bool expect(const Member& member, const Node& node, Kind kind, std::string_view words);
  void wrong(const Node& place, std::string message);

  SchemaResources& resources_;
  const PlanOptions& options_;
  OwnedPlan& plan_;
  SchemaProblems& problems_;

  std::unordered_map<const Node*, std::uint32_t> indexes_;
  std::vector<const Node*> nodes_;  // The schemas by index; null for nothing().
  std::size_t done_ = 0;
  bool nothing_made_ = false;
  std::uint32_t nothing_ = 0;
  const Node* at_ = nullptr;  // The schema whose steps are being made.
  std::vector<Step> steps_;   // Its steps so far.
  std::map<std::string, std::uint32_t, std::less<>> texts_;
  std::map<std::string, std::uint32_t, std::less<>> patterns_;
  std::vector<std::string> anchors_;  // The names of dynamic references, whose `b` is the index.
};

}  // namespace snapgen::json
