#pragma once
// Reads a commit's tree without libgit2. A status of a clean repository needs no other object, and starting
// the library takes longer than a stat of some thousand files. For use in git/ only.
#include <optional>
#include <string>
#include <string_view>

#include "tools/engine/git/repository/oid.h"

namespace snapgen::core::git {

// Returns the tree of a commit. `folder` is `<common dir>/objects`; SHA-1 only. Returns nullopt if the object
// database is needed: the commit is a delta or in an alternate, unusually large, or does not match its hash.
std::optional<Oid> tree_of_commit(const std::string& folder, const Oid& commit);

// Returns the tree that a commit's content names, or nullopt if it is malformed.
std::optional<Oid> tree_of_commit_content(std::string_view content);

}  // namespace snapgen::core::git
