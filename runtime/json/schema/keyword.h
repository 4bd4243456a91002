#pragma once
// The keywords of JSON Schema that constrain a value, which compile.h compiles into a plan.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/json/document.h"
#include "runtime/json/schema/resources.h"

namespace snapgen::json {

enum class Keyword : std::uint8_t {
  ref,
  dynamic_ref,
  additional_items,
  additional_properties,
  all_of,
  any_of,
  constant,
  contains,
  dependencies,
  dependent_required,
  dependent_schemas,
  otherwise,
  enumeration,
  exclusive_maximum,
  exclusive_minimum,
  format,
  condition,
  items,
  max_contains,
  max_items,
  max_length,
  max_properties,
  maximum,
  min_contains,
  min_items,
  min_length,
  min_properties,
  minimum,
  multiple_of,
  none_of,
  one_of,
  pattern,
  pattern_properties,
  prefix_items,
  properties,
  property_names,
  required,
  then,
  type,
  unevaluated_items,
  unevaluated_properties,
  unique_items,
  count
};

// Whether `keyword` is one of `keywords`.
template <std::size_t size>
bool contains_keyword(std::string_view keyword, const std::array<std::string_view, size>& keywords) {
  return std::ranges::find(keywords, keyword) != keywords.end();
}

// The keywords in one schema, as members of its object. Keywords unknown to the schema's dialect are omitted.
class Keywords {
 public:
  Keywords(const Node& schema, const Dialect& dialect);
  const Member* operator[](Keyword keyword) const { return found_[static_cast<std::size_t>(keyword)]; }

 private:
  std::array<const Member*, static_cast<std::size_t>(Keyword::count)> found_ = {};
};

}  // namespace snapgen::json
