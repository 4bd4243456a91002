#pragma once
// How the index differs from HEAD's tree: the first letter of a status (git-status(1)).
#include <optional>
#include <string>
#include <vector>

#include "tools/engine/git/index.h"
#include "tools/engine/git/state.h"

namespace snapgen::core::git {

struct IndexChange {
  char letter = 'M';  // A added, D deleted, M modified, T type changed, R renamed
  std::string path;
  std::string from;  // of a rename

  // What stood in HEAD and what stands in the index, for finding renames.
  std::uint32_t old_mode = 0, new_mode = 0;
  Oid old_oid, new_oid;

  bool operator<(const IndexChange& other) const { return path < other.path; }
};

struct IndexChanges {
  std::vector<IndexChange> changes;  // sorted by path
  std::string doubt;                 // why only git can tell; empty: it is settled
};

// `commit`: HEAD's, or nothing for an unborn branch, against which everything is added. Unmerged paths are
// passed over. Folders whose tree the index knows are compared by that tree alone.
Result<IndexChanges> diff_with_head(Repository::State& state, const LoadedIndex& index,
                                    const std::optional<Oid>& commit, std::stop_token stop);

}  // namespace snapgen::core::git
