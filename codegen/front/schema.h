#pragma once
// Schema: one checked JSON Schema of a schema file, with every keyword in a suitable type.
//
// A schema is a reference (`target` is set: a `$ref` with only annotations beside it) or has keywords. These
// include the merged keywords of `allOf` and of a `$ref` beside others. Checked and Model own all schemas.
// Schemas are compared by address.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/front/finding.h"
#include "runtime/json/document.h"

namespace snapgen::codegen {

// A set of JSON kinds. `number` in a schema means integer and fraction; 1.0 is an integer.
using Kinds = std::uint8_t;
namespace kinds {
inline constexpr Kinds null = 1, boolean = 2, integer = 4, fraction = 8, string = 16, array = 32, object = 64;
inline constexpr Kinds number = integer | fraction, any = 127;
}  // namespace kinds

// Returns the kinds as text: "a string", "an integer or null".
std::string text(Kinds kinds);

// A JSON value in a schema: of const, enum or default.
struct Constant {
  json::Kind kind = json::Kind::null;
  Kinds kinds = kinds::null;
  std::string canonical;
  std::string string;  // The decoded text of a string.
  friend bool operator==(const Constant& a, const Constant& b) { return a.canonical == b.canonical; }
};

struct Number {
  double value = 0;
  std::string text;  // The number as the schema writes it, of any size.
  std::string canonical;
  friend bool operator==(const Number& a, const Number& b) { return a.canonical == b.canonical; }
  friend bool operator<(const Number& a, const Number& b);
};

struct Schema;

struct Property {
  std::string name;
  const Schema* schema = nullptr;
  bool required = false;
};

struct Conditional {
  const Schema* when = nullptr;
  const Schema* then = nullptr;       // The schema of "then", or null.
  const Schema* otherwise = nullptr;  // The schema of "else", or null.
};

// A constraint that no struct can express; the general validator checks it on the same text.
struct ValidatorConstraint {
  std::string keyword;
  const json::Node* node = nullptr;  // The value of the keyword.
  // The subschemas, by name or index; or only one.
  std::vector<std::pair<std::string, const Schema*>> schemas;
};

enum class Additional : std::uint8_t { unspecified, open, closed, schema };

// Keywords that describe a value without limiting it.
struct Annotations {
  std::string title;
  std::string description;
  std::optional<Constant> default_value;
  std::vector<std::pair<std::string, std::string>>
      published_keywords;  // Keywords with their canonical values, which are copied to tools/list.
  std::string member;      // The value of x-snapgen.member, a name in C++.
  std::string type;        // The value of x-snapgen.type, the name of the type in C++.
  std::string brand;       // The value of x-snapgen.brand, a separate type of ids in TypeScript.
  // x-snapgen.optional: the struct's member is optional although the schema has a default.
  bool is_optional = false;
};

struct Schema {
  SourceLocation location;
  const json::Node* node = nullptr;  // The object in the file; null if several schemas were merged.
  const Schema* target = nullptr;
  Annotations annotations;

  bool broken = false;  // The schema has a finding that makes further ones redundant.
  bool never = false;   // The schema is `false`, which no value fits.
  Kinds kinds = kinds::any;
  bool kinds_given = false;                     // The schema has `type`, `const` or `enum`.
  std::optional<std::vector<Constant>> values;  // The value of const, or the values of enum.
  bool constant = false;                        // The only element of `values` is the value of const.

  std::optional<std::uint64_t> min_length, max_length;
  std::vector<std::string> patterns;
  std::string format;
  bool format_asserted = false;

  std::optional<Number> minimum, maximum, exclusive_minimum, exclusive_maximum;
  std::vector<Number> divisors;

  const Schema* items = nullptr;
  std::optional<std::uint64_t> min_items, max_items;
  bool unique_items = false;

  bool properties_given = false;
  std::vector<Property> properties;   // The properties, sorted by position in the file.
  std::vector<std::string> required;  // Required names that `properties` does not have.
  Additional additional = Additional::unspecified;
  bool closed_by_default = false;  // The object is closed only because that is the default of inputs.
  const Schema* additional_schema = nullptr;
  std::optional<std::uint64_t> min_properties, max_properties;
  std::vector<Conditional> conditionals;
  std::map<std::string, std::vector<std::string>> dependent_required;

  std::vector<const Schema*> alternatives;  // The schemas of oneOf or anyOf.
  std::string alternatives_keyword;
  // The keywords beside the alternatives, which are merged into each.
  const Schema* common_keywords = nullptr;

  std::vector<ValidatorConstraint> validator_constraints;
  bool has_other_member_constraints = false;  // Unnamed members are constrained, but not by a single schema.
  bool has_single_dynamic_target = false;     // `target` is the only schema that the $dynamicRef can mean.
};

// Follows a reference to its schema, or returns the schema itself.
inline const Schema& resolved(const Schema& schema) {
  const Schema* found = &schema;
  while (found->target) found = found->target;
  return *found;
}

// Returns a property of an object schema; null if there is no such property.
const Property* find_property(const Schema& schema, std::string_view name);
// Returns the location of a name in the list of a keyword, such as "required"; that of the schema if its node
// does not have it.
SourceLocation location_of_name(const Schema& schema, std::string_view keyword, std::string_view name);
// Whether all schemas of a `oneOf` or `anyOf` say only which members are there: [{"required": ["path"]},
// ...].
bool only_require(const json::Node& alternatives);
// Returns the alternatives of a schema, as its file has them, if they only require members; else null.
const json::Node* presence_rule(const Schema& schema);
// Returns the constraint of this keyword; null if there is none.
const ValidatorConstraint* find_validator_constraint(const Schema& schema, std::string_view keyword);
// Returns whether the schema has keywords that limit a value, except `type`.
bool has_limits(const Schema& schema);

// Returns the name of the property whose schema is here; empty for another schema.
std::string property_name(const SourceLocation& location);
// Returns the end of a sentence for authors who write "required" into the property itself.
std::string advice_to_require(const std::string& name);

// Reports limits that every allowed value meets (they were meant for another type),
// and limits that no value can meet.
void check_limits(const Schema& schema, Findings& findings);

}  // namespace snapgen::codegen
