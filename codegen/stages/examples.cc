#include "codegen/stages/examples.h"

#include <map>
#include <string_view>
#include <utility>

#include "codegen/front/keywords.h"
#include "codegen/model/cpp.h"
#include "runtime/json/schema/evaluate.h"

namespace snapgen::codegen {
namespace {

using json::Kind;
using json::Node;

// An example or default value that must fit a schema.
struct Expectation {
  const Node* value;
  SourceLocation location;
  std::string_view what;
};

class ExampleChecker {
 public:
  explicit ExampleChecker(Findings& findings) : findings_(findings) {}

  void tool(const ToolFile& tool) {
    SourceLocation root = tool.location;
    const Node* extension = tool.file->document.root.find("x-snapgen");
    const Node* examples = extension ? extension->find("examples") : nullptr;
    if (!examples) return;
    SourceLocation location =
        inner_location(inner_location(root, "x-snapgen", extension->offset), "examples", examples->offset);
    if (!examples->is(Kind::array)) return findings_.add(location, "\"examples\" is not a list");
    for (std::size_t i = 0; i < examples->items.size(); ++i)
      example(tool, examples->items[i],
              inner_location(location, std::to_string(i), examples->items[i].offset));
  }

  void message(const File& file) {
    const Node* extension = file.document.root.find("x-snapgen");
    const Node* examples = extension ? extension->find("examples") : nullptr;
    if (!examples) return;
    SourceLocation location =
        inner_location(inner_location(SourceLocation{.file = &file, .offset = 0}, "x-snapgen", 0), "examples",
                       examples->offset);
    list(file.document.root, *examples, location);
  }

  // Checks the values of `examples` and `default` of one schema, and collects them.
  void keywords(const Schema& schema) {
    const Node& node = *schema.node;
    if (const Node* examples = node.find("examples"); examples && examples->is(Kind::array))
      list(node, *examples, inner_location(schema.location, "examples", examples->offset));
    if (const Node* value = node.find("default"))
      fit(node, *value, inner_location(schema.location, "default", value->offset), "the default");
  }

  // Checks all examples. The schemas of each file are compiled together. If one of them is invalid, which is
  // a finding, each is compiled alone, and the examples of the others are checked.
  void judge(const PlanInputs& inputs) {
    for (const auto& [file, schemas] : expected_) {
      std::vector<const Node*> roots;
      for (const auto& [schema, values] : schemas)
        if (inputs.checked.schemas.contains(schema)) roots.push_back(schema);  // The others are no schemas.
      if (roots.empty()) continue;
      if (judge(inputs, file, roots) || roots.size() == 1) continue;
      for (const Node* each : roots) judge(inputs, file, {each});
    }
  }

 private:
  // Returns false, and adds findings, if one of the schemas is invalid.
  bool judge(const PlanInputs& inputs, const File* file, const std::vector<const Node*>& roots) {
    Findings problems;
    const auto plans = make_plans({.sources = inputs.sources,
                                   .resolved = inputs.resolved,
                                   .checked = inputs.checked,
                                   .model = inputs.model,
                                   .findings = problems},
                                  {{file, roots}});
    findings_.add_at_other_places(problems);
    if (!problems.empty()) return false;
    for (std::uint32_t root = 0; root < roots.size(); ++root)
      for (const Expectation& each : expected_.at(file).at(roots[root]))
        judge(plans.at(file)->plan(), root, each);
    return true;
  }
  void judge(const json::Plan& plan, std::uint32_t root, const Expectation& expected) {
    const std::string text = constant_of(*expected.value).canonical;
    for (const json::Violation& each : json::evaluate(plan, text, root))
      findings_.add(expected.location, std::string(expected.what) + " does not fit" +
                                           (each.pointer.empty() ? "" : " at " + each.pointer) + ": " +
                                           each.message);
  }

  void list(const Node& schema, const Node& examples, const SourceLocation& location) {
    for (std::size_t i = 0; i < examples.items.size(); ++i)
      fit(schema, examples.items[i], inner_location(location, std::to_string(i), examples.items[i].offset),
          "the example");
  }

  void example(const ToolFile& tool, const Node& node, const SourceLocation& location) {
    if (!node.is(Kind::object))
      return findings_.add(
          location,
          "an example is an object with \"arguments\" and perhaps \"name\", \"description\" and \"result\"");
    for (const json::Member& member : node.members) {
      SourceLocation here = inner_location(location, member.key, member.value.offset);
      if (member.key == "arguments") {
        if (const Node* input = tool.file->document.root.find("inputSchema"))
          fit(*input, member.value, here, "the example");
      } else if (member.key == "result") {
        if (const Node* output = tool.file->document.root.find("outputSchema"))
          fit(*output, member.value, here, "the example");
      } else if (member.key != "name" && member.key != "description") {
        findings_.add(here,
                      "\"" + member.key + "\" is not known in an example" +
                          suggestion_clause(member.key, {"arguments", "description", "name", "result"}));
      }
    }
    if (!node.find("arguments")) findings_.add(location, "\"arguments\" is missing");
  }

  void fit(const Node& schema, const Node& value, SourceLocation location, std::string_view what) {
    expected_[location.file][&schema].push_back(
        {.value = &value, .location = std::move(location), .what = what});
  }

  Findings& findings_;
  std::map<const File*, std::map<const Node*, std::vector<Expectation>>> expected_;
};

// Reports default values that C++ cannot express as an initializer.
void check_defaults(const Model& model, Findings& findings) {
  for (const auto& type : model.types) {
    for (const Field& field : type->fields) {
      if (field.presence != Presence::defaulted || !field.type) continue;
      const Schema& owner = field.schema->annotations.default_value ? *field.schema : resolved(*field.schema);
      const std::optional<Constant>& value = owner.annotations.default_value;
      const bool is_known = findings.has_below(field.schema->location) || findings.has_below(owner.location);
      if (value && !is_known &&
          !value_expression(*field.type, *value, field.schema->location.file->name_space))
        findings.add(field.schema->location,
                     "this default can't be written in C++; objects can have the default {} alone, and only "
                     "if nothing in them is required");
    }
  }
}

}  // namespace

void check_examples(const PlanInputs& inputs) {
  ExampleChecker checker(inputs.findings);
  for (const ToolFile& tool : inputs.checked.tools) checker.tool(tool);
  for (const auto& file : inputs.sources.files)
    if (inputs.checked.messages.contains(file.get())) checker.message(*file);
  for (const auto& [node, schema] : inputs.checked.schemas) checker.keywords(*schema);
  checker.judge(inputs);
  check_defaults(inputs.model, inputs.findings);
}

}  // namespace snapgen::codegen
