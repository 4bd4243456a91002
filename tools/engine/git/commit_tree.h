#pragma once
// The tree of a commit, read without libgit2: a status of a clean repository needs no other object, and
// loading the library takes longer than looking at some thousand files. For this folder alone.
#include <optional>
#include <string>
#include <string_view>

#include "tools/engine/git/oid.h"

namespace snapgen::core::git {

// `folder`: `<common dir>/objects`. SHA-1 alone. Nothing where the commit is not there as a loose object or
// whole in a pack (a delta, an alternate), is larger than usual, or does not have its name's hash: then the
// object database must be asked.
std::optional<Oid> tree_of_commit(const std::string& folder, const Oid& commit);

// The tree that a commit's content names; nothing where it is malformed.
std::optional<Oid> tree_named_by(std::string_view content);

}  // namespace snapgen::core::git
