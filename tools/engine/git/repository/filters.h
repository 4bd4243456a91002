#pragma once
// Decides which clean filters may run. Filters are programs. Those in the user's configuration (system and
// global, which git calls protected) run as in any git command. A filter that only the configuration of the
// repository or of a submodule defines would let its author run code on every status. It is disabled unless
// the user allows it: `git config --global snapgen.repositoryFilters true`.
#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/config.h"
#include "tools/engine/git/repository/repository.h"

namespace snapgen::core::git {

// Returns the names of the filters that the repository configures and that do not run. `user_entries` of the
// entries, the first ones, are the user's.
std::set<std::string, std::less<>> disabled_filters(const Config& config, std::size_t user_entries);

// Returns settings that disable the repository's filters in a git command; empty if it has none. Errors:
// unavailable (git is needed and missing), cancelled.
Result<std::vector<ConfigEntry>> filter_disabling_settings(const std::string& git_dir,
                                                           const std::string& root,
                                                           const Environment& environment,
                                                           const std::stop_token& stop);

}  // namespace snapgen::core::git
