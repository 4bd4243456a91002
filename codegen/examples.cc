#include "codegen/examples.h"

#include <map>
#include <string_view>
#include <utility>

#include "codegen/cpp.h"
#include "codegen/keywords.h"
#include "codegen/validate.h"
#include "runtime/json/schema/evaluate.h"

namespace snapgen::codegen {
namespace {

using json::Kind;
using json::Node;

class ExampleChecker {
 public:
  ExampleChecker(const Plans& plans, Findings& findings) : findings_(findings) {
    for (const auto& [file, unit] : plans)
      for (const auto& [type, root] : unit.roots) plans_[type->schema] = {unit.plan.get(), root};
  }

  void tool(const ToolFile& tool) {
    Place root = tool.place;
    const Node* extension = tool.file->document.root.find("x-snapgen");
    const Node* examples = extension ? extension->find("examples") : nullptr;
    if (!examples) return;
    Place place = below(below(root, "x-snapgen", extension->offset), "examples", examples->offset);
    if (!examples->is(Kind::array)) return findings_.add(place, "\"examples\" is not a list");
    for (std::size_t i = 0; i < examples->items.size(); ++i)
      example(tool, examples->items[i], below(place, std::to_string(i), examples->items[i].offset));
  }

  void message(const File& file, const Schema& schema) {
    const Node* extension = file.document.root.find("x-snapgen");
    const Node* examples = extension ? extension->find("examples") : nullptr;
    if (!examples) return;
    Place place = below(below(Place{.file = &file, .offset = 0, .pointer = ""}, "x-snapgen", 0), "examples",
                        examples->offset);
    list(schema, *examples, place);
  }

  // The keywords `examples` and `default` of one schema.
  void keywords(const Schema& schema) {
    const Node& node = *schema.node;
    if (const Node* examples = node.find("examples"); examples && examples->is(Kind::array))
      list(schema, *examples, below(schema.place, "examples", examples->offset));
    if (const Node* value = node.find("default"))
      fit(schema, *value, below(schema.place, "default", value->offset), "the default");
  }

 private:
  void list(const Schema& schema, const Node& examples, const Place& place) {
    for (std::size_t i = 0; i < examples.items.size(); ++i)
      fit(schema, examples.items[i], below(place, std::to_string(i), examples.items[i].offset),
          "the example");
  }

  void example(const ToolFile& tool, const Node& node, const Place& place) {
    if (!node.is(Kind::object))
      return findings_.add(
          place,
          "an example is an object with \"arguments\" and perhaps \"name\", \"description\" and \"result\"");
    for (const json::Member& member : node.members) {
      Place here = below(place, member.key, member.value.offset);
      if (member.key == "arguments") {
        if (tool.input) fit(*tool.input, member.value, here, "the example");
      } else if (member.key == "result") {
        if (tool.output) fit(*tool.output, member.value, here, "the example");
      } else if (member.key != "name" && member.key != "description") {
        findings_.add(here, "\"" + member.key + "\" is not known in an example" +
                                meant(member.key, {"arguments", "description", "name", "result"}));
      }
    }
    if (!node.find("arguments")) findings_.add(place, "\"arguments\" is missing");
  }

  void fit(const Schema& schema, const Node& value, const Place& place, std::string_view what) {
    const auto wrong = [&](const std::string& pointer, const std::string& message) {
      findings_.add(place, std::string(what) + " does not fit" + (pointer.empty() ? "" : " at " + pointer) +
                               ": " + message);
    };
    const std::vector<Misfit> misfits = validate(schema, value);
    for (const Misfit& each : misfits) wrong(each.pointer, each.message);
    const auto plan = plans_.find(&resolved(schema));
    if (plan == plans_.end() || !misfits.empty()) return;
    const auto& [owned, root] = plan->second;
    const std::string text = constant_of(value).canonical;
    for (const json::Violation& each : json::evaluate(owned->plan(), text, root))
      wrong(each.pointer, each.message);
  }

  Findings& findings_;
  std::map<const Schema*, std::pair<const json::OwnedPlan*, std::uint32_t>> plans_;
};

// A default that C++ can't be initialised with.
void check_defaults(const Model& model, Findings& findings) {
  for (const auto& type : model.types) {
    for (const Field& field : type->fields) {
      if (field.presence != Presence::defaulted || !field.type) continue;
      const Annotations& own = field.schema->notes;
      const std::optional<Constant>& value =
          own.default_value ? own.default_value : resolved(*field.schema).notes.default_value;
      if (value && !expression(*field.type, *value, field.schema->place.file->name_space))
        findings.add(field.schema->place,
                     "this default can't be written in C++; objects can have the default {} alone, and only "
                     "if nothing in them is required");
    }
  }
}

}  // namespace

void check_examples(const Sources& sources, const Checked& checked, const Model& model, const Plans& plans,
                    Findings& findings) {
  // On what is wrong itself no example can be judged.
  if (!findings.empty()) return;
  ExampleChecker checker(plans, findings);
  for (const ToolFile& tool : checked.tools) checker.tool(tool);
  for (const auto& file : sources.files)
    if (auto message = checked.messages.find(file.get()); message != checked.messages.end())
      checker.message(*file, *message->second);
  for (const auto& [node, schema] : checked.schemas) checker.keywords(*schema);
  if (findings.empty()) check_defaults(model, findings);
}

}  // namespace snapgen::codegen
