#include <array>
#include <string_view>

#include "codegen/emit/emit.h"
#include "codegen/model/cpp.h"

namespace snapgen::codegen {
namespace {

// The enumerators of json::Op, in their order.
constexpr std::array<std::string_view, static_cast<std::size_t>(json::Op::unevaluated_properties) + 1> ops = {
    "never",
    "type",
    "constant",
    "one_of_constants",
    "min_length",
    "max_length",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusive_minimum",
    "exclusive_maximum",
    "multiple_of",
    "min_items",
    "max_items",
    "unique_items",
    "min_properties",
    "max_properties",
    "required",
    "dependent_required",
    "dependent_schemas",
    "members",
    "property_names",
    "elements",
    "contains",
    "all_of",
    "any_of",
    "one_of",
    "none_of",
    "condition",
    "reference",
    "dynamic_reference",
    "unevaluated_items",
    "unevaluated_properties"};

constexpr std::array<std::string_view, 7> kind_names = {"object",  "array", "string", "number",
                                                        "boolean", "null",  "invalid"};

// Returns the code of an array with all values in `from`; "" if there are none: C++ has no empty arrays.
template <class From, class Each>
std::string cpp_array(const std::string& head, const From& from, Each each) {
  if (from.empty()) return "";
  std::vector<std::string> values;
  for (std::size_t i = 0; i < from.size(); ++i) values.push_back(each(from[i], i));
  return head + "[] = {\n" + wrapped_list(values) + "};\n";
}

std::string number(std::uint32_t value) { return value == json::no_index ? "~0U" : std::to_string(value); }

// Writes the size, because a compiler may otherwise have to count a million characters.
std::string text_value(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return string_literal(text);
  return "{" + string_literal(text) + ", " + std::to_string(text.size()) + "}";
}

std::string step(const json::Step& step) {
  std::string out = "{Op::" + std::string(ops[static_cast<std::size_t>(step.op)]);
  if (step.a || step.b || step.c) out += ", " + number(step.a);
  if (step.b || step.c) out += ", " + number(step.b);
  if (step.c) out += ", " + number(step.c);
  return out + "}";
}

}  // namespace

std::string emit_plan(const json::Plan& plan, const std::string& name) {
  std::string out;
  out +=
      cpp_array("constexpr json::PlanSchema " + name + "_schemas", plan.schemas, [](const auto& each, auto) {
        return "{" + std::to_string(each.first) + ", " + std::to_string(each.count) + ", " +
               std::to_string(each.resource) + (each.has_unevaluated_step ? ", true}" : "}");
      });
  out += cpp_array("constexpr json::Step " + name + "_steps", plan.steps,
                   [](const auto& each, auto) { return step(each); });
  out += cpp_array("constexpr std::uint32_t " + name + "_lists", plan.lists,
                   [](std::uint32_t each, auto) { return number(each); });
  out += cpp_array("constexpr std::string_view " + name + "_texts", plan.texts,
                   [](std::string_view each, auto) { return text_value(each); });
  out += cpp_array("constexpr json::PlanConstant " + name + "_constants", plan.constants,
                   [](const auto& each, auto) {
                     return "{json::Kind::" + std::string(kind_names[static_cast<std::size_t>(each.kind)]) +
                            ", " + text_value(each.text) + "}";
                   });
  out +=
      cpp_array("constinit const json::Pattern " + name + "_pattern", plan.patterns,
                [](const json::Pattern* each, auto) {
                  const std::string text = text_value(each->source());
                  return "json::Pattern(" + (text.starts_with('{') ? "std::string_view" + text : text) + ")";
                });
  out += cpp_array("constexpr const json::Pattern* " + name + "_patterns", plan.patterns,
                   [&](const json::Pattern*, std::size_t i) {
                     return "&" + name + "_pattern[" + std::to_string(i) + "]";
                   });
  const auto part = [&](std::string_view member, bool empty) {
    return "." + std::string(member) + " = " + (empty ? "{}" : name + "_" + std::string(member));
  };
  out += "constexpr json::Plan " + name + " = {" + part("schemas", plan.schemas.empty()) + ",\n    " +
         part("steps", plan.steps.empty()) + ",\n    " + part("lists", plan.lists.empty()) + ",\n    " +
         part("texts", plan.texts.empty()) + ",\n    " + part("constants", plan.constants.empty()) +
         ",\n    " + part("patterns", plan.patterns.empty()) + "};\n";
  return out;
}

}  // namespace snapgen::codegen
