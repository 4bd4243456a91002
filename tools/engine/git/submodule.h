#pragma once
// Submodules: a folder that the index holds as a commit (gitsubmodules(7)).
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "runtime/base/result.h"
#include "tools/engine/git/state.h"

namespace snapgen::core::git {

struct SubmoduleState {
  std::optional<Oid> head;  // what is checked out; nothing while its branch is unborn
  bool dirty = false;       // its own status is not empty
  std::string doubt;        // why only git can tell; empty: it is settled
};

// The repository at `path`, which has a `.git`. `tracked_only`: untracked files in it do not count.
Result<SubmoduleState> submodule_state(Repository::State& parent, const std::string& path, bool tracked_only,
                                       std::stop_token stop);

// Whether a repository's status is anything but empty. (status.cc)
Result<bool> is_dirty(Repository::State& state, bool tracked_only, std::stop_token stop);

}  // namespace snapgen::core::git
