#include "codegen/schema.h"

#include <array>

#include "runtime/base/text.h"
#include "runtime/json/number.h"

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

}  // namespace snapgen::codegen
