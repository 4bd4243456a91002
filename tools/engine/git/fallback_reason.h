#pragma once
// Detects states that the engine leaves to the git program (status_parts.cc).
#include <string>

#include "tools/engine/git/state.h"

namespace snapgen::core::git {

// Returns why only the git program can compute the status, or an empty string if the engine can.
std::string reason_git_is_needed(Repository::State& state, const LoadedConfig& config,
                                 const LoadedIndex& index, const Head& head);

}  // namespace snapgen::core::git
