#pragma once
// Chooses among several places of a hunk by its headings, such as `class A` and `def f():`.
#include <cstdint>
#include <string_view>
#include <vector>

#include "tools/engine/patch/file_lines.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Returns the lines below the headings of the hunk, in the innermost block that they name. `first` is 0 if
// the hunk has no heading, or one that is not exactly once in the block of the heading before it. A line of
// the file has a heading if it begins with it, leading white space aside. A block ends before the next line
// that is not indented more than its heading, unless that line begins with a bracket; it is empty below a
// line that begins none.
LineRange block_of_headings(const FileLines& file, const Hunk& hunk);

// Returns true if the headings are in the file, and the hunk is above them or not in their block, if it
// begins at `line`.
bool is_outside_headings(const FileLines& file, std::int64_t line, const Hunk& hunk);

// Returns true if the offset, which begins a line, is in the block of the nearest line above that has the
// heading. Needs no index; searches a limited part of the file.
bool is_below_heading(std::string_view file, std::size_t offset, std::string_view heading);

// Returns the only one of the places, lines in order, in the block of the headings, or the only one below a
// heading that begins no block; otherwise 0.
std::int64_t place_by_headings(const FileLines& file, const std::vector<std::int64_t>& places,
                               const Hunk& hunk);

}  // namespace snapgen::core
