#pragma once
// brief: schemas as a model needs them in tools/list: to choose a tool and to call it. Hosts pay for each
// word of a list in every conversation; the reader knows the whole schema, checks by it, and says what does
// not fit.
//
// What is shown refuses less than the reader does, never more. `published`: canonical, as published() gives
// it.
#include <string>

namespace snapgen::codegen {

// Without lengths, counts and patterns, names of types, examples, and defaults that are false; that nothing
// else is taken is not said, and of an array's items no description where the array has one. Constants with
// descriptions are one enumeration, and objects that a constant tells apart one object with the properties of
// all. What stands deeper than `brief_levels` is any value of its type.
inline constexpr int brief_levels = 6;
std::string brief_input(const std::string& published);

// The kinds of answer, but for the one that comes with isError: which members each has for sure, and the
// constants that tell it from the others.
std::string brief_output(const std::string& published);

// Hints that say what is so anyway, by the protocol's defaults, are left out. `annotations`: canonical.
std::string brief_annotations(const std::string& annotations);

}  // namespace snapgen::codegen
