#pragma once
// parse_patch() converts a unified diff, as `git diff` prints it, to FilePatches.
//
// It supports creations, deletions, renames, copies, mode changes, and type changes (a deletion and a
// creation of one path). Files may lack a final newline or have CRLF; names may be quoted, with any prefixes
// or none. It also supports `GIT binary patch`, bare headers (a file that was only touched), and plain
// `---`/`+++` headers with or without timestamps.
//
// It is stricter than `git apply`. Only blank lines between the parts of a patch are ignored. The counts of a
// hunk must be correct on both sides. Hunks must be in order without overlap. Each path is changed by one
// part only.
#include <string_view>

#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Parses a patch. Never fails as a whole: `rejects` has one error for each invalid part, and one for an empty
// patch. `text` must outlive the result.
Patch parse_patch(std::string_view text);

}  // namespace snapgen::core
