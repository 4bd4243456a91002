#include "runtime/json/schema/keyword.h"

namespace snapgen::json {
namespace {

enum class Vocabulary : std::uint8_t { core, applicator, validation, unevaluated };
enum class Draft : std::uint8_t { both, seven, latest };

struct Known {
  std::string_view name;
  Keyword keyword;
  Vocabulary vocabulary;
  Draft draft = Draft::both;
};

// All keywords, sorted by name. `dependencies` is of draft 7, but draft 2020-12's metaschema still has it.
constexpr std::array<Known, static_cast<std::size_t>(Keyword::count)> known_keywords = {{
    {"$dynamicRef", Keyword::dynamic_ref, Vocabulary::core, Draft::latest},
    {"$ref", Keyword::ref, Vocabulary::core},
    {"additionalItems", Keyword::additional_items, Vocabulary::applicator, Draft::seven},
    {"additionalProperties", Keyword::additional_properties, Vocabulary::applicator},
    {"allOf", Keyword::all_of, Vocabulary::applicator},
    {"anyOf", Keyword::any_of, Vocabulary::applicator},
    {"const", Keyword::constant, Vocabulary::validation},
    {"contains", Keyword::contains, Vocabulary::applicator},
    {"dependencies", Keyword::dependencies, Vocabulary::applicator},
    {"dependentRequired", Keyword::dependent_required, Vocabulary::validation, Draft::latest},
    {"dependentSchemas", Keyword::dependent_schemas, Vocabulary::applicator, Draft::latest},
    {"else", Keyword::otherwise, Vocabulary::applicator},
    {"enum", Keyword::enumeration, Vocabulary::validation},
    {"exclusiveMaximum", Keyword::exclusive_maximum, Vocabulary::validation},
    {"exclusiveMinimum", Keyword::exclusive_minimum, Vocabulary::validation},
    {"format", Keyword::format, Vocabulary::core},
    {"if", Keyword::condition, Vocabulary::applicator},
    {"items", Keyword::items, Vocabulary::applicator},
    {"maxContains", Keyword::max_contains, Vocabulary::validation, Draft::latest},
    {"maxItems", Keyword::max_items, Vocabulary::validation},
    {"maxLength", Keyword::max_length, Vocabulary::validation},
    {"maxProperties", Keyword::max_properties, Vocabulary::validation},
    {"maximum", Keyword::maximum, Vocabulary::validation},
    {"minContains", Keyword::min_contains, Vocabulary::validation, Draft::latest},
    {"minItems", Keyword::min_items, Vocabulary::validation},
    {"minLength", Keyword::min_length, Vocabulary::validation},
    {"minProperties", Keyword::min_properties, Vocabulary::validation},
    {"minimum", Keyword::minimum, Vocabulary::validation},
    {"multipleOf", Keyword::multiple_of, Vocabulary::validation},
    {"not", Keyword::none_of, Vocabulary::applicator},
    {"oneOf", Keyword::one_of, Vocabulary::applicator},
    {"pattern", Keyword::pattern, Vocabulary::validation},
    {"patternProperties", Keyword::pattern_properties, Vocabulary::applicator},
    {"prefixItems", Keyword::prefix_items, Vocabulary::applicator, Draft::latest},
    {"properties", Keyword::properties, Vocabulary::applicator},
    {"propertyNames", Keyword::property_names, Vocabulary::applicator},
    {"required", Keyword::required, Vocabulary::validation},
    {"then", Keyword::then, Vocabulary::applicator},
    {"type", Keyword::type, Vocabulary::validation},
    {"unevaluatedItems", Keyword::unevaluated_items, Vocabulary::unevaluated, Draft::latest},
    {"unevaluatedProperties", Keyword::unevaluated_properties, Vocabulary::unevaluated, Draft::latest},
    {"uniqueItems", Keyword::unique_items, Vocabulary::validation},
}};

bool in_dialect(const Known& known, const Dialect& dialect) {
  if (known.draft != Draft::both && (known.draft == Draft::seven) != dialect.is_draft7) return false;
  switch (known.vocabulary) {
    case Vocabulary::core: return true;
    case Vocabulary::applicator: return dialect.has_applicators;
    case Vocabulary::validation: return dialect.has_validation;
    case Vocabulary::unevaluated: return dialect.has_unevaluated;
  }
  return false;
}

}  // namespace

Keywords::Keywords(const Node& schema, const Dialect& dialect) {
  for (const Member& member : schema.members) {
    const auto known =
        std::ranges::lower_bound(known_keywords, std::string_view(member.key), {}, &Known::name);
    if (known != known_keywords.end() && known->name == member.key && in_dialect(*known, dialect))
      found_[static_cast<std::size_t>(known->keyword)] = &member;
  }
}

}  // namespace snapgen::json
