#pragma once
// Plan: a JSON Schema with all schemas it refers to, compiled to flat arrays of constants. Generated code
// stores them as data; OwnedPlan stores them for schemas that are known only at run time. See compile.h and
// evaluate.h.
//
// A schema is a range of steps, and a step is one keyword or a group of them. A step has three numbers; their
// meaning depends on its Op. A schema is given by its index in `schemas`. A "list (`a`, `b`)" is in `lists`:
// `a` is the index of its first number, and `b` the count.
#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/json/pattern.h"
#include "runtime/json/reader.h"

namespace snapgen::json {

// The bits of a set of JSON types. The number 1.0 is an integer.
namespace type_bits {
inline constexpr std::uint32_t null = 1, boolean = 2, integer = 4, fraction = 8, string = 16, array = 32,
                               object = 64;
inline constexpr std::uint32_t number = integer | fraction, any = 127;
}  // namespace type_bits

inline constexpr std::uint32_t no_index = 0xffffffff;

enum class Op : std::uint8_t {
  never,               // The schema `false`: no value is valid.
  type,                // `a` is the set of allowed types, as type_bits.
  constant,            // `a` is the index of the value in constants.
  one_of_constants,    // `a` and `b` are the index of the first value in constants, and their count.
  min_length,          // `a` is the limit, in characters.
  max_length,          // `a` is the limit, in characters.
  pattern,             // `a` is an index in patterns.
  format,              // `a` is the format's number in formats.h.
  minimum,             // `a` is the index of the limit in texts.
  maximum,             // `a` is the index of the limit in texts.
  exclusive_minimum,   // `a` is the index of the limit in texts.
  exclusive_maximum,   // `a` is the index of the limit in texts.
  multiple_of,         // `a` is the index of the divisor in texts.
  min_items,           // `a` is the limit, a number of items.
  max_items,           // `a` is the limit, a number of items.
  unique_items,        // Has no numbers.
  min_properties,      // `a` is the limit, a number of properties.
  max_properties,      // `a` is the limit, a number of properties.
  required,            // List (`a`, `b`) of the required names, as indexes in texts.
  dependent_required,  // List (`a`, `b`) of groups: a name, the number of names that it requires, these
                       // names.
  dependent_schemas,   // List (`a`, `b`) of pairs: a name in texts, a schema.
  members,             // `a` is the index of a MembersHead in lists: the keywords for all members.
  property_names,      // `a` is the schema of the names.
  elements,            // List (`a`, `b`) of schemas of the first items; `c` is that of the others, or none.
  contains,            // `a` is a schema; from `b` to `c` items must match it (`c` may be no_index).
  all_of,              // List (`a`, `b`) of schemas.
  any_of,              // List (`a`, `b`) of schemas.
  one_of,              // List (`a`, `b`) of schemas.
  none_of,             // `a` is the schema of the keyword `not`.
  condition,           // `a`, `b` and `c` are the schemas of if, then and else, or no_index.
  reference,           // `a` is the schema that $ref refers to.
  dynamic_reference,   // `a` is the default schema; `b` and `c` are a list of pairs (resource, schema).
  unevaluated_items,   // `a` is the schema of the items that no other keyword evaluated.
  unevaluated_properties  // `a` is the schema of the members that no other keyword evaluated.
};

// The beginning of the data of an Op::members step, in `lists` from index `a` on.
struct MembersHead {
  std::uint32_t named_count;        // Count of pairs (name, schema) after the head, sorted by length.
  std::uint32_t pattern_count;      // Count of pairs (pattern, schema) after those.
  std::uint32_t additional_schema;  // The schema of all other members, or no_index.
};
inline constexpr std::uint32_t members_head_size = 3;

struct Step {
  Op op;
  std::uint32_t a = 0, b = 0, c = 0;
};

struct PlanSchema {
  std::uint32_t first = 0;  // Index of its first step.
  std::uint32_t count = 0;
  std::uint32_t resource = 0;         // The index of its schema resource (`$id`).
  bool has_unevaluated_step = false;  // Whether it has an unevaluated_* step.
};

struct PlanConstant {
  Kind kind;
  // A string's text, a number as written, "true" or "false", or an array's or object's normal_form().
  std::string_view text;
};

struct Plan {
  std::span<const PlanSchema> schemas;  // The roots are first.
  std::span<const Step> steps;
  std::span<const std::uint32_t> lists;
  std::span<const std::string_view> texts;
  std::span<const PlanConstant> constants;
  std::span<const Pattern* const> patterns;
};

}  // namespace snapgen::json
