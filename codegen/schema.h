#pragma once
// Schema: one JSON Schema of a schema file, checked, every keyword in its own type.
//
// A schema is either a reference (`target` set: a `$ref` with nothing but annotations beside it) or has its
// own keywords; what `allOf` and a `$ref` beside other keywords say is already merged in. Schemas live as
// long as the Schemas that made them and are compared by address.
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

// A JSON value out of a schema: const, enum, default.
struct Constant {
  json::Kind kind = json::Kind::null;
  Kinds kinds = kinds::null;
  std::string canonical;
  std::string string;  // The decoded text if it is a string.
  friend bool operator==(const Constant& a, const Constant& b) { return a.canonical == b.canonical; }
};

struct Number {
  double value = 0;
  std::string text;  // As it is written, of any size.
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
  const Schema* then = nullptr;       // Null: nothing is asked.
  const Schema* otherwise = nullptr;  // Null: nothing is asked.
};

// What a schema says and no struct can: the general validator is asked about it, over the same text.
struct Beyond {
  std::string keyword;
  const json::Node* node = nullptr;                            // The keyword's value.
  std::vector<std::pair<std::string, const Schema*>> schemas;  // In it: by name or index, or one without.
};

enum class Additional : std::uint8_t { unsaid, open, closed, schema };

// What is said about a value without limiting it.
struct Annotations {
  std::string title;
  std::string description;
  std::optional<Constant> default_value;
  std::vector<std::pair<std::string, std::string>>
      published;       // keyword, canonical value; in tools/list as they are
  std::string member;  // x-snapgen.member: the name in C++
  std::string type;    // x-snapgen.type: the name of the type in C++
  std::string brand;   // x-snapgen.brand: in TypeScript an id of this kind can't stand for one of another
};

struct Schema {
  SourceLocation place;
  const json::Node* node = nullptr;  // Null if it was merged from several.
  const Schema* target = nullptr;
  Annotations notes;

  bool broken = false;  // Something was said about it already that makes more about it noise.
  bool never = false;   // The schema `false`.
  Kinds kinds = kinds::any;
  bool kinds_said = false;                      // `type`, `const` or `enum` was there.
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
  std::vector<Property> properties;   // In the order of the file.
  std::vector<std::string> required;  // Names that `properties` does not have.
  Additional additional = Additional::unsaid;
  bool closed_by_default = false;  // `closed` because an input says nothing else.
  const Schema* additional_schema = nullptr;
  std::optional<std::uint64_t> min_properties, max_properties;
  std::vector<Conditional> conditionals;
  std::map<std::string, std::vector<std::string>> dependent_required;

  std::vector<const Schema*> alternatives;  // oneOf or anyOf
  std::string alternatives_keyword;
  const Schema* common = nullptr;  // Of alternatives: what stands beside them, which is merged into each.

  std::vector<Beyond> beyond;
  bool rest = false;   // Members without a name here are described, though not by one schema.
  bool again = false;  // `target` is what a $dynamicRef means, since there is only one such anchor.
};

// The schema that a reference means, or the schema itself.
inline const Schema& resolved(const Schema& schema) {
  const Schema* found = &schema;
  while (found->target) found = found->target;
  return *found;
}

// Of an object schema, or null.
const Property* find_property(const Schema& schema, std::string_view name);
// Null if there is none.
const Beyond* find_beyond(const Schema& schema, std::string_view keyword);
// Whether it says anything that limits a value, beyond `type`.
bool has_limits(const Schema& schema);

}  // namespace snapgen::codegen
