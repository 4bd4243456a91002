#pragma once
// Plan: a JSON Schema with all schemas it refers to, compiled to flat arrays of constants. Generated code
// stores them as data; OwnedPlan stores them for schemas that are known only at run time. See compile.h and
// evaluate.h.
//
// A schema is a range of steps; a step is one keyword or a group of them. Data of a step beyond three numbers
// is in `lists`. Each index refers to the array that its comment names.
#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/json/pattern.h"
#include "runtime/json/reader.h"

namespace snapgen::json {

// Bit set of JSON types; 1.0 is an integer.
namespace type_bits {
inline constexpr std::uint32_t null = 1, boolean = 2, integer = 4, fraction = 8, string = 16, array = 32,
                               object = 64;
inline constexpr std::uint32_t number = integer | fraction, any = 127;
}  // namespace type_bits

inline constexpr std::uint32_t no_index = 0xffffffff;

enum class Op : std::uint8_t {
  never,               // The schema `false`.
  type,                // a: type_bits
  constant,            // a: constants
  one_of_constants,    // a, b: from, count in constants
  min_length,          // a: count
  max_length,          // a
  pattern,             // a: patterns
  format,              // a: see formats.h
  minimum,             // a: texts
  maximum,             // a
  exclusive_minimum,   // a
  exclusive_maximum,   // a
  multiple_of,         // a
  min_items,           // a: count
  max_items,           // a
  unique_items,        //
  min_properties,      // a: count
  max_properties,      // a
  required,            // a, b: from, count in lists: texts
  dependent_required,  // a, b: lists: text, count, then that many texts, and so on; c: Keyword
  dependent_schemas,   // a, b: lists: text, schema; c: Keyword
  members,             // a: lists, see below; properties, patternProperties and additionalProperties
  property_names,      // a: schemas
  elements,            // a, b: lists: schemas; c: schemas or none; prefixItems and items, or items of draft 7
  contains,            // a: schemas; b: at least; c: at most, or none
  all_of,              // a, b: lists: schemas
  any_of,              // a, b
  one_of,              // a, b
  none_of,             // a: schemas; `not`
  condition,           // a, b, c: schemas or none; if, then, else
  reference,           // a: schemas
  dynamic_reference,   // a: schemas; b, c: lists: resource, schema
  unevaluated_items,   // a: schemas
  unevaluated_properties  // a: schemas
};

// The data of a members step, in `lists` from `a` on:
struct MembersHead {
  std::uint32_t named;       // Pairs of text and schema after the head, sorted by length, then bytes.
  std::uint32_t patterns;    // Pairs of pattern and schema, after those.
  std::uint32_t additional;  // Schema, or none.
};
inline constexpr std::uint32_t members_head_size = 3;

struct Step {
  Op op;
  std::uint32_t a = 0, b = 0, c = 0;
};

struct PlanSchema {
  std::uint32_t first = 0;  // steps
  std::uint32_t count = 0;
  std::uint32_t resource = 0;  // The number of the $id that applies to it.
  bool unevaluated = false;    // One of its steps depends on what other schemas evaluated.
};

struct PlanConstant {
  Kind kind;
  // A string's text; a number as written; true or false; the normal_form of an array or object.
  std::string_view text;
};

struct Plan {
  std::span<const PlanSchema> schemas;  // The first is the root.
  std::span<const Step> steps;
  std::span<const std::uint32_t> lists;
  std::span<const std::string_view> texts;
  std::span<const PlanConstant> constants;
  std::span<const Pattern* const> patterns;
};

}  // namespace snapgen::json
