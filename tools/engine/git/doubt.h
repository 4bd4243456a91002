#pragma once
// What our own engine leaves to git. (status_parts.cc)
#include <string>

#include "tools/engine/git/state.h"

namespace snapgen::core::git {

// Why our own engine does not even begin; empty: it does.
std::string why_only_git_can_tell(Repository::State& state, const LoadedConfig& config,
                                  const LoadedIndex& index, const Head& head);

}  // namespace snapgen::core::git
