#pragma once
// The patch form V4A, which some models write instead of a unified diff:
//
//   *** Begin Patch
//   *** Update File: src/app.py
//   *** Move to: src/main.py
//   @@ class App:
//   @@ def run(self):
//    context
//   -old line
//   +new line
//   *** End of File
//   *** Add File: notes.md
//   +first line
//   *** Delete File: obsolete.txt
//   *** End Patch
//
// It becomes the same FilePatches as a unified diff. `@@` lines have headings instead of numbers; numbers
// work, too. The first hunk may lack its `@@` line. A deletion shows no line of the file. `*** End of File`
// says that the lines above it are the last ones of the file. As the form cannot say whether a last line has
// a newline, it has one if the file's last line has one; the marker of unified diffs decides otherwise.
//
// `*** End Patch` may be missing at the end of the text, unless the last part lacks its lines.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/engine/patch/lines.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Returns true at the line `*** Begin Patch`.
bool begins_v4a_patch(const PatchLines& lines);

// One file's part of a patch.
struct V4aPart {
  struct HunkFault {
    std::int64_t hunk_index = 0;
    PatchFault fault;
  };

  FilePatch file;                      // Its hunks have indexes from 0.
  std::vector<HunkFault> hunk_faults;  // The invalid hunks, which `file` lacks.
  std::optional<PatchFault> fault;     // Why the whole part is invalid.
};

// Reads the next part below `*** Begin Patch`. Returns nullopt at the end of the patch, and skips the line
// `*** End Patch`. `root` is as for parse_patch().
std::optional<V4aPart> read_v4a_part(PatchLines& lines, std::string_view root);

}  // namespace snapgen::core
