#pragma once
// brief: shortens schemas for tools/list to what a model needs to choose and call a tool. Hosts pay for each
// word of a list in every conversation. Arguments are still validated against the full schema.
//
// A brief schema never rejects a value that the reader accepts. `published` is the schema as canonical JSON
// (publish.h).
#include <string>

namespace snapgen::codegen {

// At depths greater than `brief_depth_max`, a schema allows any value of its type. brief_input() omits
// lengths, counts, patterns, type names, examples, false defaults, additionalProperties, and the description
// of an array's items if the array has one. Constants with descriptions become one enumeration. Objects that
// a constant distinguishes become one object with the properties of all.
inline constexpr int brief_depth_max = 6;
std::string brief_input(const std::string& published);

// Returns the kinds of result, except the one that is returned with isError: the required members of each
// kind, and the constants that distinguish it.
std::string brief_output(const std::string& published);

// Returns one object with the members of all kinds of result except that one, shortened as by brief_input().
// It is for hosts whose models write programs that use the members.
std::string merged_output(const std::string& published);

// Omits hints that equal the protocol's defaults. `annotations` is canonical JSON.
std::string brief_annotations(const std::string& annotations);

}  // namespace snapgen::codegen
