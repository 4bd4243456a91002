#pragma once
// parse_patch() converts a patch to FilePatches: the output of `git diff`, or what models write, also in the
// form V4A (`v4a.h`).
//
// It supports creations, deletions, renames, copies, mode changes, and type changes (a deletion and a
// creation of one path). Files may lack a final newline or have CRLF; names may be quoted, with any prefixes
// or none, or begin with `./`. It also supports `GIT binary patch`, bare headers (a file that was only
// touched), and plain `---`/`+++` headers with or without timestamps.
//
// Nothing is decided here about the lines at which hunks apply: the numbers of an `@@` line may be wrong or
// missing, and hunks may be in any order (`hunk.h` has the rules for their bodies). Parts that only change
// lines of the same file are merged. Text and Markdown fences around the parts are ignored. The last line may
// lack its newline. Header lines may end in CR LF; lines of hunks keep their bytes.
#include <string_view>

#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Parses a patch. Never fails as a whole: `rejects` has one error for each invalid header and for each
// invalid hunk, and one for an empty patch. Absolute names in the folder `root` are converted to paths
// relative to it; other absolute names are rejected. `root` is absolute without a slash at its end, or empty
// for none. `text` must outlive the result.
Patch parse_patch(std::string_view text, std::string_view root = {});

}  // namespace snapgen::core
