#pragma once
// Renames, paired as git pairs them (gitdiffcore(7), "diffcore-rename"; since git 2.31).
#include <stop_token>
#include <string>
#include <vector>

#include "tools/engine/git/attributes.h"
#include "tools/engine/git/head_diff.h"
#include "tools/engine/git/settings.h"
#include "tools/engine/git/worktree_diff.h"

namespace snapgen::core::git {

// Turns deletions and additions of the same or similar content into renames, in place. Sets `doubt` where
// only git can tell: copies are wanted, the work tree itself may rename, or versions of git pair differently.
// `born`: HEAD has a commit; git looks for no renames without one. Errors: unavailable, cancelled.
Result<Unit> find_renames(Repository::State& state, const Settings& settings, Attributes& attributes,
                          bool born, const std::vector<WorktreeChange>& unstaged, std::stop_token stop,
                          IndexChanges& staged, std::string& doubt);

}  // namespace snapgen::core::git
