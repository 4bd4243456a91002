#pragma once
// Lists files outside of `.git` that decide what git runs in a repository.
#include <memory>
#include <string>
#include <vector>

#include "tools/engine/git/repository.h"

namespace snapgen::core::git {

// Returns the configuration files that git reads in this repository, with their includes, whether they exist
// or not, and the folder of core.hooksPath. Absolute paths. Without git, or if the configuration cannot be
// read, the list is empty.
std::vector<std::string> obeyed_files(const Repository& repository);

// The symlinks of an index, as paths of the repository.
struct TrackedSymlinks {
  std::shared_ptr<const void> index;  // Identifies the index that was read; null: none.
  std::vector<std::string> paths;
};

// Updates `links`, if the index is another than the one that was read. Without an index that can be read,
// there are no links.
void update(TrackedSymlinks& links, const Repository& repository);

}  // namespace snapgen::core::git
