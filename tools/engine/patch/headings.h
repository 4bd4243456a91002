#pragma once
// Chooses among several places of a hunk by its headings, such as `class A` and `def f():`.
#include <cstdint>
#include <string_view>
#include <vector>

#include "tools/engine/patch/file_lines.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Returns the lines below the headings of the hunk, in the innermost block that they name; an empty range if
// the hunk has no heading, or one that is not exactly once in the block of the heading before it.
LineRange block_of_headings(const FileLines& file, const Hunk& hunk);

// Returns true if the last heading is in the file, but only below the hunk, if the hunk begins at `line`.
bool is_above_headings(const FileLines& file, std::int64_t line, const Hunk& hunk);

// Returns the only one of the places, lines in order, to which the headings of the hunk refer, or 0. A line
// of the file has a heading if it begins with it, leading white space aside.
//
// In a unified diff the place must be the only one below the first line with the heading. In V4A a heading
// names the block that the hunk belongs to, so the only place in this block comes first: the heading must
// occur once in the file, or in the block of the heading before it. A block ends before the next line that is
// not indented more than its heading, unless that line begins with a bracket.
std::int64_t place_by_headings(const FileLines& file, const std::vector<std::int64_t>& places,
                               const Hunk& hunk);

}  // namespace snapgen::core
