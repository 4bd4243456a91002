#pragma once
// Submodules: folders that the index records as a commit (gitsubmodules(7)).
#include <optional>
#include <stop_token>
#include <string>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/state.h"

namespace snapgen::core::git {

struct SubmoduleState {
  std::optional<Oid> head;      // The checked-out commit; nullopt for an unborn branch.
  bool dirty = false;           // The submodule's own status is not empty.
  std::string fallback_reason;  // Why the git program must decide; empty if it need not.
};

// Returns the state of the submodule at `path`, which has a `.git`. With `tracked_only`, its untracked files
// do not count.
Result<SubmoduleState> submodule_state(Repository::State& parent, const std::string& path, bool tracked_only,
                                       std::stop_token stop);

// Returns true if a repository's status is not empty (status.cc).
Result<bool> is_dirty(Repository::State& state, bool tracked_only, std::stop_token stop);

}  // namespace snapgen::core::git
