// Checks that the limits of a schema apply to its type and can be met. Part of the model stage.
#include <string_view>

#include "codegen/model.h"

namespace snapgen::codegen {

void check_limits(const Schema& s, Findings& findings) {
  auto need = [&](bool said, Kinds kind, std::string_view keyword) {
    if (said && (s.kinds & kind) == 0)
      findings.add(s.place, "\"" + std::string(keyword) + "\" says nothing about " + text(s.kinds));
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
    if (low && high && *high < *low) findings.add(s.place, "no value matches: " + std::string(words));
  };
  crossed(s.min_length, s.max_length, "\"minLength\" is above \"maxLength\"");
  crossed(s.min_items, s.max_items, "\"minItems\" is above \"maxItems\"");
  crossed(s.min_properties, s.max_properties, "\"minProperties\" is above \"maxProperties\"");
  crossed(s.minimum, s.maximum, "\"minimum\" is above \"maximum\"");
}

}  // namespace snapgen::codegen
