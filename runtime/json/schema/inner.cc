#include "runtime/json/schema/inner.h"

#include <array>

#include "runtime/json/schema/keyword.h"

namespace snapgen::json {
namespace {

constexpr std::array<std::string_view, 12> one_schema = {"additionalItems",
                                                         "additionalProperties",
                                                         "contains",
                                                         "contentSchema",
                                                         "else",
                                                         "if",
                                                         "items",
                                                         "not",
                                                         "propertyNames",
                                                         "then",
                                                         "unevaluatedItems",
                                                         "unevaluatedProperties"};
constexpr std::array<std::string_view, 4> schema_list = {"allOf", "anyOf", "oneOf", "prefixItems"};
constexpr std::array<std::string_view, 6> schema_map = {
    "$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"};

}  // namespace

bool can_be_schema(const Node& node) { return node.is(Kind::object) || node.is(Kind::boolean); }

std::vector<Subschema> subschemas(const Node& schema) {
  std::vector<Subschema> found;
  for (const Member& member : schema.members) {
    // In draft 7, "items" may be a list.
    const bool list = member.key == "items" && member.value.is(Kind::array);
    const auto see = [&](const Node& node, bool single, std::string name, std::size_t name_offset) {
      if (can_be_schema(node))
        found.push_back({.keyword = member.key,
                         .single = single,
                         .name = std::move(name),
                         .name_offset = name_offset,
                         .node = &node});
    };
    if (!list && contains_keyword(member.key, one_schema)) {
      see(member.value, true, "", 0);
    } else if (list || contains_keyword(member.key, schema_list)) {
      for (std::size_t i = 0; i < member.value.items.size(); ++i)
        see(member.value.items[i], false, std::to_string(i), 0);
    } else if (contains_keyword(member.key, schema_map)) {
      for (const Member& each : member.value.members) see(each.value, false, each.key, each.key_offset);
    }
  }
  return found;
}

}  // namespace snapgen::json
