#include "codegen/refused.h"

#include <array>

namespace snapgen::codegen {
namespace {

struct Refused {
  std::string_view keyword;
  std::string_view instead;
};
constexpr std::array<Refused, 27> refused_keywords = {{
    {"$anchor", "refer with a JSON Pointer"},
    {"$dynamicAnchor", "refer with \"$ref\""},
    {"$dynamicRef", "refer with \"$ref\""},
    {"$id", "a schema's name is its file and its JSON Pointer"},
    {"$recursiveRef", "refer with \"$ref\""},
    {"$vocabulary", "leave it out"},
    {"additionalItems", "give \"items\" one schema"},
    {"contains", "say it in the description and check it in the handler"},
    {"contentEncoding", "say \"format\": \"byte\" for base64"},
    {"contentMediaType", "say it in the description"},
    {"contentSchema", "say it in the description"},
    {"definitions", "write \"$defs\""},
    {"dependencies", "write \"dependentRequired\""},
    {"dependentSchemas", "write \"if\" and \"then\""},
    {"divisibleBy", "write \"multipleOf\""},
    {"extends", "write \"allOf\""},
    {"id", "a schema's name is its file and its JSON Pointer"},
    {"maxContains", "say it in the description and check it in the handler"},
    {"minContains", "say it in the description and check it in the handler"},
    {"not", "say what is allowed instead"},
    {"nullable", "write \"type\": [\"string\", \"null\"]"},
    {"optional", "leave the name out of \"required\""},
    {"patternProperties", "give \"additionalProperties\" a schema"},
    {"prefixItems", "write an object with named members"},
    {"propertyNames", "say it in the description and check it in the handler"},
    {"unevaluatedItems", "give \"items\" one schema"},
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

std::string_view instead_of(std::string_view keyword) {
  for (const Refused& each : refused_keywords)
    if (each.keyword == keyword) return each.instead;
  return {};
}

std::string_view foreign_type(std::string_view name) {
  for (const Refused& each : foreign_types)
    if (each.keyword == name) return each.instead;
  return {};
}

}  // namespace snapgen::codegen
