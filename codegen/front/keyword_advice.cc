// Proposes alternatives for words that authors know from other languages, for sentences of errors.
#include <array>
#include <string>
#include <vector>

#include "codegen/front/keywords.h"
#include "runtime/json/schema/formats.h"

namespace snapgen::codegen {
namespace {

struct Refused {
  std::string_view keyword;
  std::string_view instead;
};
constexpr std::array<Refused, 10> refused_keywords = {{
    {"$recursiveRef", "write \"$dynamicRef\""},
    {"additionalItems", "write \"prefixItems\", and \"items\" for the others"},
    {"definitions", "write \"$defs\""},
    {"dependencies", "write \"dependentRequired\" or \"dependentSchemas\""},
    {"divisibleBy", "write \"multipleOf\""},
    {"extends", "write \"allOf\""},
    {"id", "write \"$id\""},
    {"nullable", "write \"type\": [\"string\", \"null\"]"},
    {"optional", "leave the name out of \"required\""},
    {"discriminator", "give each branch a required property with its own \"const\""},
}};

constexpr std::array<Refused, 9> foreign_types = {{{"bool", "boolean"},
                                                   {"dict", "object"},
                                                   {"double", "number"},
                                                   {"float", "number"},
                                                   {"int", "integer"},
                                                   {"list", "array"},
                                                   {"map", "object"},
                                                   {"nil", "null"},
                                                   {"str", "string"}}};

}  // namespace

std::string_view keyword_advice(std::string_view keyword) {
  for (const Refused& each : refused_keywords)
    if (each.keyword == keyword) return each.instead;
  return {};
}

std::string_view json_type_for(std::string_view name) {
  for (const Refused& each : foreign_types)
    if (each.keyword == name) return each.instead;
  return {};
}

std::string similar_format(std::string_view name) {
  if (json::plan_format_named(name)) return {};
  const std::vector<std::string_view> names = json::plan_format_names();
  return suggestion_clause(name, names);
}

}  // namespace snapgen::codegen
