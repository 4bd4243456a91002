#pragma once
// The branch that is checked out.
#include <stop_token>
#include <string>

#include "tools/engine/git/repository/repository.h"

namespace snapgen::core {

// Returns the branch, such as "refs/heads/main"; empty if HEAD is detached or unreadable, and without git.
std::string head_branch(const Repository& repository, const std::stop_token& stop);

}  // namespace snapgen::core
