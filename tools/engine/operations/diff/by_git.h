#pragma once
// A diff of the work tree that the git program makes, where only it can tell what a file's content is to git.
#include <string_view>

#include "tools/engine/operations/diff/diff.h"

namespace snapgen::core {

// `why`: what git is needed for. Untracked files are counted and never shown: what git would make of them is
// not known. Errors: not_found (a path that neither side has); unavailable (no git, or it failed); cancelled.
Result<DiffAnswer> diff_by_git(Workspace& workspace, GitBase base, LiveView& view, const DiffQuery& query,
                               std::string_view why);

}  // namespace snapgen::core
