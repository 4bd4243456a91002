#pragma once
// Taking over a journal whose tree and staging folder were copied together, or moved, or are seen at another
// path: it knows its files by inodes, which may be others now.
#include <vector>

#include "runtime/base/result.h"
#include "tools/core/path/root.h"
#include "tools/core/write/journal.h"

namespace snapgen::core {

// Lets the steps tell the inodes of the files that stand here, if these are surely what the steps speak of:
// each that was to be moved is found before or after its move, with the content and the time that it must
// have, and the moves were done in order. `staging`: a handle of the staging folder. Nothing is written.
// Errors: repo_changed (they are not, or nobody can tell); unavailable, permission_denied.
Result<Unit> take_over(const Root& root, int staging, std::vector<Step>& steps);

}  // namespace snapgen::core
