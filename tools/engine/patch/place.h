#pragma once
// place_hunks() decides at which lines of a file the hunks of a patch apply.
//
// The old lines of a hunk (its context and its removed lines) must be in the file, byte for byte. The first
// rule that applies decides:
// 1. They are at the line that the `@@` line states.
// 2. The new lines of the hunk are there, not as a part of its old lines, and are distinctive: the hunk was
//    applied before and is rejected.
// 3. They occur once in the file.
// 4. They occur several times, but once where the headings of the hunk refer to (`headings.h`).
// Rule 1 does not apply to old lines that occur several times if another hunk of the file is not at the line
// that it states, or if they are once in the block that the heading names, but not there: then a number or
// the heading is wrong. Rules 3 and 4 do not apply to a hunk whose old lines are not in the block that its
// headings name, if that block has the new lines, or lines that differ from the old ones in little: it was
// changed, and the place is a copy. Lines that a hunk only adds, with context on one side or none, are not
// added a second time.
// Otherwise the hunk is rejected. The lines of a hunk that ends with `*** End of File` must be the last ones
// of the file, which decides whether they end with a newline.
//
// A hunk without old lines applies only after the line that it states, in an empty file, or at the end of the
// file, if it says so. A hunk that removes nothing, and whose old lines are not distinctive
// (is_distinctive()), such as an insertion next to a lone brace, applies only at the line that it states.
//
// All hunks refer to the file before the patch, in any order. They must not overlap. Insertions between the
// same two lines are in the order of the patch.
//
// With `exact_lines`, only rule 1 applies. Every `@@` line must have its ranges, with the right counts, and
// the hunks must be in order.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/patch/patch.h"
#include "tools/engine/patch/sides.h"

namespace snapgen::core {

// Returns the line that the `@@` line states for the first old line of the hunk, from 1; of a hunk without
// old lines, the line before which it inserts. nullopt if it states none.
std::optional<std::int64_t> stated_line_of(const Hunk& hunk);

struct PlacedHunk {
  const Hunk* hunk = nullptr;
  HunkSides sides;
  std::size_t offset = 0;  // The offset of the first old line.
  std::int64_t line = 0;   // The first old line, from 1; of an insertion, the line before which it inserts.
  bool is_outside_heading = false;  // At the only place that fits, but not in the block of its heading.
};

struct Placement {
  std::vector<PlacedHunk> hunks;  // In the order of the file.
  std::vector<Reject> rejects;    // Every hunk that does not apply; `path` is empty.
};

// `hunks` must outlive the result. Errors: cancelled.
Result<Placement> place_hunks(std::string_view file, const std::vector<Hunk>& hunks, bool exact_lines,
                              LineEnds line_ends, const std::stop_token& stop = {});

}  // namespace snapgen::core
