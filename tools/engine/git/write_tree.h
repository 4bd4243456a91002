#pragma once
// What `git write-tree` would print, computed without writing anything.
#include <optional>

#include "runtime/base/result.h"
#include "tools/engine/git/index.h"

namespace snapgen::core::git {

// Whether the object database holds an object. Errors: unavailable.
class ObjectPresence {
 public:
  virtual ~ObjectPresence() = default;
  virtual Result<bool> contains(const Oid& oid) = 0;
};

// The tree that the index stands for. Nothing where git would refuse: unmerged entries, a file that is also a
// folder, an entry whose object is missing. Folders that the TREE extension knows are taken from it; only in
// the others is every entry looked up.
Result<std::optional<Oid>> tree_of_index(const Index& index, ObjectPresence& objects);

}  // namespace snapgen::core::git
