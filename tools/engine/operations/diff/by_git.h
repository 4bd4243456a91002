#pragma once
// A diff of the work tree by the git program, for files that only git can convert.
#include <string_view>

#include "tools/engine/operations/diff/diff.h"

namespace snapgen::core {

// Compares the work tree with HEAD or the index. `why`: the reason why git is needed. Untracked files are
// counted but not shown, because git's conversion of them is unknown. Errors: not_found (a path that neither
// side has); unavailable (no git, or it failed); cancelled.
Result<DiffAnswer> diff_by_git(Workspace& workspace, GitBase base, LiveView& view, const DiffQuery& query,
                               std::string_view why);

}  // namespace snapgen::core
