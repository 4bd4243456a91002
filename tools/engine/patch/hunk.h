#pragma once
// One hunk of a unified diff: its `@@` line and the lines below it.
#include <optional>
#include <string>

#include "tools/engine/patch/lines.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// An error in a patch, and its line.
struct PatchFault {
  std::int64_t patch_line = 0;
  std::string message;  // One sentence.
};

struct ParsedHunk {
  Hunk hunk;
  bool lacks_final_newline =
      false;  // One side ends without a newline, so it must be the last hunk of its file.
};

// Reads the hunk that starts at the current `@@` line, up to its last line. The counts must be correct, the
// marker `\ No newline at end of file` must be on the last line of its side, and the hunk must change
// something.
std::optional<PatchFault> read_hunk(PatchLines& lines, ParsedHunk& out);

// Checks the form of the current header line: it must be complete, not end in CR, and not be too long.
std::optional<PatchFault> fault_of_header_line(const PatchLines& lines);

}  // namespace snapgen::core
