#pragma once
// The two texts of a hunk: the lines that it expects, and those that replace them.
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// How the line ends of a patch are adapted to its file.
enum class LineEnds : std::uint8_t {
  unchanged,
  cr_added,    // The lines of the patch end in LF, those of the file in CR LF.
  cr_removed,  // The reverse.
};

// Which line ends a text has.
struct LineEndKinds {
  bool has_lf = false;  // Without CR before it.
  bool has_crlf = false;
};
LineEndKinds line_ends_of(std::string_view text);

struct HunkSides {
  std::string before;
  std::string after;
  std::int64_t before_lines = 0;
  std::int64_t after_lines = 0;
  // The added lines, as ranges of the lines of `after`; an empty range where lines are only removed.
  std::vector<LineRange> changes;
  bool removes = false;    // It removes a line.
  bool ends_file = false;  // One of its lines has no newline, so it must end at the end of the file.
};

// Returns the texts of the hunk. `body` is its body, with or without the separators at its end.
HunkSides sides_of(std::string_view body, LineEnds line_ends);

// Returns what a hunk that only adds lines adds below all of its old lines; empty for any other hunk.
std::string_view added_below(const HunkSides& sides);
// The same above its old lines.
std::string_view added_above(const HunkSides& sides);

// Returns how the hunks must be adapted to the file, all or none:
// - CR is added if all lines of the file end in CR LF, no line of the hunks does, and they have old lines. So
//   no old line could fit without it.
// - CR is removed if no line of the file ends in CR LF, and every line of the patch does, also its headers.
// A file with both line ends, or without a line end, is never adapted to.
LineEnds line_ends_for(std::string_view file, const std::vector<Hunk>& hunks, bool patch_has_crlf_lines);

// Returns true if the text has enough to identify a location in a file: a line with at least four letters or
// digits, or three lines that are not blank. A byte beyond ASCII counts as a letter.
bool is_distinctive(std::string_view text);

}  // namespace snapgen::core
