#pragma once
// Filters are programs. Those of the user's own configuration (system, global: what git calls protected) run
// as with any git; those that only the repository's configuration names, or a submodule's, would let whoever
// made the folder decide what runs as soon as somebody looks at it. They are left out, unless the user allows
// them: `git config --global snapgen.repositoryFilters true`.
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/config.h"
#include "tools/engine/git/repository.h"

namespace snapgen::core::git {

// What to tell git, so that it runs no filter of the repository's; empty where there is none. Errors:
// unavailable (git is needed, and not to be had), cancelled.
Result<std::vector<ConfigEntry>> without_foreign_filters(const std::string& git_dir, const std::string& root,
                                                         const Environment& environment,
                                                         const std::stop_token& stop);

}  // namespace snapgen::core::git
