#pragma once
// parse: a unified diff, as `git diff` prints it, into FilePatches.
//
// Taken: creations, deletions, renames, copies, mode changes, type changes (a deletion and a creation of one
// path), files without a newline at the end, CRLF content, quoted names, any prefixes or none, `GIT binary
// patch`, bare headers (a file that was only touched), and plain `---`/`+++` headers with or without
// timestamps.
//
// Stricter than `git apply`: nothing that is not part of the patch is passed over but blank lines between its
// parts; the counts of a hunk must be right on both sides; hunks are in order and apart; each path is changed
// by one part alone; a hunk that is not the whole file shows context.
#include <string_view>

#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Never fails as a whole: what is wrong stands in `rejects`, one for each part of the patch that is wrong,
// and an empty patch is wrong too. `text` must outlive the result.
Patch parse(std::string_view text);

}  // namespace snapgen::core
