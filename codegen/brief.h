#pragma once
// brief: shortened schemas for tools/list, with what a model needs to choose and call a tool. Hosts pay for
// each word of a list in every conversation. Arguments are still validated against the full schema.
//
// A brief schema never rejects a value that the reader accepts. `published`: the schema as
// canonical JSON (publish.h).
#include <string>

namespace snapgen::codegen {

// Omits lengths, counts, patterns, type names, examples, false defaults, additionalProperties, and the
// description of an array's items if the array has one. Constants with descriptions become one enumeration.
// Objects that a constant distinguishes become one object with the properties of all. Below `brief_levels`, a
// schema allows any value of its type.
inline constexpr int brief_levels = 6;
std::string brief_input(const std::string& published);

// The kinds of result, except that with isError: the required members of each, and the constants that
// distinguish it.
std::string brief_output(const std::string& published);

// Omits hints that equal the protocol's defaults. `annotations`: canonical.
std::string brief_annotations(const std::string& annotations);

}  // namespace snapgen::codegen
