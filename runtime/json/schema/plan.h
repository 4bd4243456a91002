#pragma once
// Plan: a JSON Schema with all that it refers to, compiled: flat arrays of constants, which generated code
// holds as data and OwnedPlan holds for schemas that come at run time. See compile.h for how one is made,
// evaluate.h for what it is good for.
//
// A schema is a run of steps; a step is a keyword, or several that belong together. What a step needs beyond
// three numbers is in lists. Indexes go into the array that their comment names.
#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/json/pattern.h"
#include "runtime/json/reader.h"

namespace snapgen::json {

// Bits of a set of JSON types; 1.0 is an integer.
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

// What a members step has in lists from `a` on:
struct MembersHead {
  std::uint32_t named;       // Pairs of text and schema, sorted by length and bytes; follow the head.
  std::uint32_t patterns;    // Pairs of pattern and schema; follow those.
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
  std::uint32_t resource = 0;  // The $id that it stands below, as a number.
  bool unevaluated = false;    // It has a step that asks what others have evaluated.
};

struct PlanConstant {
  Kind kind;
  // The text of a string; a number as written; true or false; of arrays and objects their normal_form.
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
