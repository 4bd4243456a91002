#pragma once
// Renames, paired as git pairs them (gitdiffcore(7), "diffcore-rename"; since git 2.31).
#include <stop_token>
#include <string>
#include <vector>

#include "tools/engine/git/repository/settings.h"
#include "tools/engine/git/status/head_diff.h"
#include "tools/engine/git/status/worktree_diff.h"
#include "tools/engine/git/walk/attributes.h"

namespace snapgen::core::git {

// Turns deletions and additions of the same or similar content into renames, in place. Sets `fallback_reason`
// if the git program must decide: copies are enabled, the work tree may contain renames, or git versions
// differ in the result. `has_commit`: HEAD has a commit; git detects no renames without one. Errors:
// unavailable, cancelled.
Result<Unit> detect_renames(Repository::State& state, const Settings& settings, Attributes& attributes,
                            bool has_commit, const std::vector<WorktreeChange>& unstaged,
                            std::stop_token stop, IndexChanges& staged, std::string& fallback_reason);

}  // namespace snapgen::core::git
