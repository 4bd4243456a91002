#include "codegen/front/schema.h"

#include <algorithm>
#include <array>

#include "runtime/base/text.h"
#include "runtime/json/number.h"
#include "runtime/json/pointer.h"
#include "runtime/json/writer.h"

namespace snapgen::codegen {

bool operator<(const Number& a, const Number& b) { return json::compare_numbers(a.text, b.text) < 0; }

std::string text(Kinds set) {
  static constexpr std::array<std::pair<Kinds, std::string_view>, 7> names = {{{kinds::object, "an object"},
                                                                               {kinds::array, "an array"},
                                                                               {kinds::string, "a string"},
                                                                               {kinds::number, "a number"},
                                                                               {kinds::integer, "an integer"},
                                                                               {kinds::boolean, "a boolean"},
                                                                               {kinds::null, "null"}}};
  std::vector<std::string_view> parts;
  for (const auto& [bits, name] : names) {
    if ((set & bits) != bits) continue;
    parts.push_back(name);
    set = static_cast<Kinds>(set & ~bits);
  }
  return parts.empty() ? "nothing" : enumerated(parts, "or");
}

const Property* find_property(const Schema& schema, std::string_view name) {
  for (const Property& each : schema.properties)
    if (each.name == name) return &each;
  return nullptr;
}

SourceLocation location_of_name(const Schema& schema, std::string_view keyword, std::string_view name) {
  const json::Node* list = schema.node ? schema.node->find(keyword) : nullptr;
  if (!list) return schema.location;
  for (std::size_t i = 0; i < list->items.size(); ++i)
    if (list->items[i].text == name)
      return inner_location(inner_location(schema.location, keyword, list->offset), std::to_string(i),
                            list->items[i].offset);
  return schema.location;
}

bool only_require(const json::Node& alternatives) {
  return !alternatives.items.empty() && std::ranges::all_of(alternatives.items, [](const json::Node& each) {
    return each.members.size() == 1 && each.members[0].key == "required";
  });
}

const json::Node* presence_rule(const Schema& schema) {
  const json::Node* alternatives = schema.node ? schema.node->find(schema.alternatives_keyword) : nullptr;
  return alternatives && only_require(*alternatives) ? alternatives : nullptr;
}

const ValidatorConstraint* find_validator_constraint(const Schema& schema, std::string_view keyword) {
  for (const ValidatorConstraint& each : schema.validator_constraints)
    if (each.keyword == keyword) return &each;
  return nullptr;
}

bool has_limits(const Schema& s) {
  return s.never || s.values || s.min_length || s.max_length || !s.patterns.empty() || !s.format.empty() ||
         s.minimum || s.maximum || s.exclusive_minimum || s.exclusive_maximum || !s.divisors.empty() ||
         s.items || s.min_items || s.max_items || s.unique_items || s.properties_given ||
         !s.required.empty() || s.additional != Additional::unspecified || s.min_properties ||
         s.max_properties || !s.conditionals.empty() || !s.dependent_required.empty() ||
         !s.alternatives.empty() || !s.validator_constraints.empty();
}

std::string property_name(const SourceLocation& location) {
  const std::string_view pointer = location.pointer;
  const std::size_t last = pointer.rfind('/');
  if (last == std::string_view::npos || !pointer.substr(0, last).ends_with("/properties")) return {};
  return json::unescaped_pointer_token(pointer.substr(last + 1));
}

std::string advice_to_require(const std::string& name) {
  return "; if " + json::quoted(name) + " is required, list it in \"required\" of the object around it";
}

void check_limits(const Schema& s, Findings& findings) {
  auto need = [&](bool is_given, Kinds kind, std::string_view keyword) {
    if (!is_given || (s.kinds & kind) != 0) return;
    const json::Node* value = s.node ? s.node->find(keyword) : nullptr;
    std::string sentence = "\"" + std::string(keyword) + "\" says nothing about " + text(s.kinds);
    const std::string name = keyword == "required" ? property_name(s.location) : "";
    if (!name.empty()) sentence += advice_to_require(name);
    findings.add(value ? inner_location(s.location, keyword, value->offset) : s.location,
                 std::move(sentence));
  };
  need(s.min_length.has_value(), kinds::string, "minLength");
  need(s.max_length.has_value(), kinds::string, "maxLength");
  need(!s.patterns.empty(), kinds::string, "pattern");
  need(!s.format.empty(), kinds::string, "format");
  need(s.minimum.has_value(), kinds::number, "minimum");
  need(s.maximum.has_value(), kinds::number, "maximum");
  need(s.exclusive_minimum.has_value(), kinds::number, "exclusiveMinimum");
  need(s.exclusive_maximum.has_value(), kinds::number, "exclusiveMaximum");
  need(!s.divisors.empty(), kinds::number, "multipleOf");
  need(s.items != nullptr, kinds::array, "items");
  need(s.min_items.has_value(), kinds::array, "minItems");
  need(s.max_items.has_value(), kinds::array, "maxItems");
  need(s.unique_items, kinds::array, "uniqueItems");
  need(s.properties_given, kinds::object, "properties");
  need(!s.required.empty(), kinds::object, "required");
  need(s.additional != Additional::unspecified, kinds::object, "additionalProperties");
  need(s.min_properties.has_value(), kinds::object, "minProperties");
  need(s.max_properties.has_value(), kinds::object, "maxProperties");
  need(!s.conditionals.empty(), kinds::object, "if");
  need(!s.dependent_required.empty(), kinds::object, "dependentRequired");
  auto crossed = [&](const auto& low, const auto& high, std::string_view words) {
    if (low && high && *high < *low) findings.add(s.location, "no value matches: " + std::string(words));
  };
  crossed(s.min_length, s.max_length, "\"minLength\" is above \"maxLength\"");
  crossed(s.min_items, s.max_items, "\"minItems\" is above \"maxItems\"");
  crossed(s.min_properties, s.max_properties, "\"minProperties\" is above \"maxProperties\"");
  crossed(s.minimum, s.maximum, "\"minimum\" is above \"maximum\"");
}

}  // namespace snapgen::codegen
