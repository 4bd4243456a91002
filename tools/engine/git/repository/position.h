#pragma once
// The position of a repository: what HEAD, the local branches and the index name.
#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/index.h"
#include "tools/engine/git/repository/oid.h"
#include "tools/engine/git/repository/repository.h"

namespace snapgen::core {

// Object ids by the full names of the branches, such as "refs/heads/main". Symbolic references are left out.
using Branches = std::map<std::string, git::Oid>;

struct RepositoryPosition {
  std::string head;    // The commit in hexadecimal digits; empty if the branch is unborn.
  std::string branch;  // Such as "refs/heads/main"; empty if HEAD is detached.
  // The same pointers as in the last result if nothing changed since.
  std::shared_ptr<const Branches> branches;
  git::IndexPtr index;
};

// Reads the position of a git repository. If nothing changed since the last call, it reads HEAD and its
// branch and the stats of the other files. Errors: unavailable, cancelled.
Result<RepositoryPosition> read_position(const Repository& repository, const std::stop_token& stop);

// The branches that other work trees of the repository have checked out.
Branches branches_of_other_trees(const Repository& repository);

}  // namespace snapgen::core
