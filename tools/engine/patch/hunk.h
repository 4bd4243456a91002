#pragma once
// One hunk of a unified diff: its `@@` line and the lines below it.
#include <optional>
#include <string>
#include <string_view>

#include "tools/engine/patch/lines.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// What is wrong with a patch, and on which of its lines.
struct PatchFault {
  std::int64_t patch_line = 0;
  std::string message;  // One sentence.
};

struct ReadHunk {
  Hunk hunk;
  bool has_context = false;  // It shows at least one unchanged line.
  bool ends_file = false;    // One of its sides ends without a newline, so it is the last of its file.
};

// Reads the hunk whose `@@` line comes next, and stops behind its last line. Strict: the counts must be
// right, the marker `\ No newline at end of file` must stand on the last line of its side, and something must
// change.
std::optional<PatchFault> read_hunk(PatchLines& lines, ReadHunk& out);

// What is wrong with the next line as a header line: it breaks off at the end of the patch, ends in CR, or is
// too long.
std::optional<PatchFault> fault_of_header_line(const PatchLines& lines);

}  // namespace snapgen::core
