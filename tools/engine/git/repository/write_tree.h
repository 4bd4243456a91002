#pragma once
// Computes the output of `git write-tree` without writing anything.
#include <optional>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/index.h"

namespace snapgen::core::git {

// ObjectPresence checks whether the object database has an object. Errors: unavailable.
class ObjectPresence {
 public:
  virtual ~ObjectPresence() = default;
  virtual Result<bool> contains(const Oid& oid) = 0;
};

// Returns the tree of the index, or nullopt if git would refuse: unmerged entries, a file that is also a
// folder, or an entry whose object is missing. Trusts the ids of the TREE extension, and checks entries only
// in other folders.
Result<std::optional<Oid>> tree_of_index(const Index& index, ObjectPresence& objects);

}  // namespace snapgen::core::git
