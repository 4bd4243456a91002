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

#include "codegen/finding.h"
#include "runtime/json/document.h"

namespace snapgen::codegen {

// A set of JSON kinds. `number` in a schema is integer and fraction; 1.0 is an integer.
using Kinds = std::uint8_t;
namespace kinds {
inline constexpr Kinds null = 1, boolean = 2, integer = 4, fraction = 8, string = 16, array = 32, object = 64;
inline constexpr Kinds number = integer | fraction, any = 127;
}  // namespace kinds

// "a string", "an integer or null"
std::string text(Kinds kinds);

// A JSON value of a schema: const, enum, default.
struct Constant {
  json::Kind kind = json::Kind::null;
  Kinds kinds = kinds::null;
  std::string canonical;
  std::string string;  // The decoded text of a string.
  friend bool operator==(const Constant& a, const Constant& b) { return a.canonical == b.canonical; }
};

struct Number {
  double value = 0;
  std::string text;  // As written, of any size.
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
  const Schema* then = nullptr;       // Null: no condition.
  const Schema* otherwise = nullptr;  // Null: no condition.
};

// A constraint that no struct can express; the general validator checks it on the same text.
struct ValidatorConstraint {
  std::string keyword;
  const json::Node* node = nullptr;                            // The keyword's value.
  std::vector<std::pair<std::string, const Schema*>> schemas;  // Its subschemas, by name or index, or one.
};

enum class Additional : std::uint8_t { unsaid, open, closed, schema };

// Keywords that do not limit a value.
struct Annotations {
  std::string title;
  std::string description;
  std::optional<Constant> default_value;
  std::vector<std::pair<std::string, std::string>>
      published;       // keyword, canonical value; copied to tools/list
  std::string member;  // x-snapgen.member: the name in C++
  std::string type;    // x-snapgen.type: the name of the type in C++
  std::string brand;   // x-snapgen.brand: a separate id type in TypeScript
};

struct Schema {
  SourceLocation place;
  const json::Node* node = nullptr;  // Null if merged from several schemas.
  const Schema* target = nullptr;
  Annotations notes;

  bool broken = false;  // Has a finding that makes further ones redundant.
  bool never = false;   // The schema `false`.
  Kinds kinds = kinds::any;
  bool kinds_said = false;                      // `type`, `const` or `enum` exists.
  std::optional<std::vector<Constant>> values;  // const (one) or enum
  bool constant = false;                        // `values` comes from const.

  std::optional<std::uint64_t> min_length, max_length;
  std::vector<std::string> patterns;
  std::string format;
  bool format_asserted = false;

  std::optional<Number> minimum, maximum, exclusive_minimum, exclusive_maximum;
  std::vector<Number> multiples;

  const Schema* items = nullptr;
  std::optional<std::uint64_t> min_items, max_items;
  bool unique_items = false;

  bool properties_said = false;
  std::vector<Property> properties;   // In file order.
  std::vector<std::string> required;  // Names that are not in `properties`.
  Additional additional = Additional::unsaid;
  bool closed_by_default = false;  // `closed` because that is the default of inputs.
  const Schema* additional_schema = nullptr;
  std::optional<std::uint64_t> min_properties, max_properties;
  std::vector<Conditional> conditionals;
  std::map<std::string, std::vector<std::string>> dependent_required;

  std::vector<const Schema*> alternatives;  // oneOf or anyOf
  std::string alternatives_keyword;
  const Schema* common = nullptr;  // The keywords beside alternatives, merged into each.

  std::vector<ValidatorConstraint> validator_constraints;
  bool rest = false;   // Unnamed members are constrained, but not by a single schema.
  bool again = false;  // `target` is that of a $dynamicRef whose anchor is unique.
};

// Follows a reference to its schema, or returns the schema itself.
inline const Schema& resolved(const Schema& schema) {
  const Schema* found = &schema;
  while (found->target) found = found->target;
  return *found;
}

// `schema` must be an object schema. Returns null if there is no such property.
const Property* find_property(const Schema& schema, std::string_view name);
// Null if there is none.
const ValidatorConstraint* find_validator_constraint(const Schema& schema, std::string_view keyword);
// Whether it has keywords that limit a value, except `type`.
bool has_limits(const Schema& schema);

}  // namespace snapgen::codegen
