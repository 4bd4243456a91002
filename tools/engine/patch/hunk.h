#pragma once
// One hunk of a patch: its `@@` line and the lines below it.
//
// The body decides where a hunk ends, and how many lines it has; the counts in the `@@` line are a hint. It
// consists of the lines that begin with a blank, `+`, `-` or `\`, and of blank lines between them. It ends at
// the next `@@` line, at the header of a file, at a Markdown fence, or at other text. In V4A (`v4a.h`) it
// ends at the next `@@` line, at a line that begins with `*`, or at the fence below the patch.
//
// A removed line that begins with `-- `, above an added one that begins with `++ `, looks like the header of
// a file. It is one if an `@@` line follows and both names agree. Otherwise it is content if the counts have
// room for both lines.
//
// Blank lines at the end of a body belong to it if the counts say so; otherwise they separate.
#include <optional>
#include <string>

#include "tools/engine/patch/lines.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Reads the hunk that starts at the current `@@` line, up to its last line. On a fault, the current line is
// within the hunk. The marker `\ No newline at end of file` must be on the last line of its side, and the
// hunk must change something.
std::optional<PatchFault> read_hunk(PatchLines& lines, Hunk& out);

// Reads the hunk that starts at the current line, up to its last line and `*** End of File`, like
// read_hunk(), in the form V4A. It may have no `@@` line, or several.
std::optional<PatchFault> read_v4a_hunk(PatchLines& lines, Hunk& out);

// Returns the `@@` line, without a heading, of a hunk whose first old line is `line`. `shift` is the distance
// of its first new line from there. Of an insertion, `line` is the line before which it inserts.
std::string hunk_header(const Hunk& hunk, std::int64_t line, std::int64_t shift);

}  // namespace snapgen::core
