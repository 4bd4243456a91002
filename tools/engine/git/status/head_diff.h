#pragma once
// The differences between HEAD's tree and the index: the first letter of a status (git-status(1)).
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "tools/engine/git/repository/index.h"
#include "tools/engine/git/repository/state.h"

namespace snapgen::core::git {

struct IndexChange {
  char letter = 'M';  // A added, D deleted, M modified, T type changed, R renamed
  std::string path;
  std::string from;  // The source of a rename.

  // Modes and ids in HEAD and in the index, for rename detection.
  std::uint32_t old_mode = 0, new_mode = 0;
  Oid old_oid, new_oid;

  bool operator<(const IndexChange& other) const { return path < other.path; }
};

struct IndexChanges {
  std::vector<IndexChange> changes;  // sorted by path
  std::string fallback_reason;       // Why the git program must decide; empty if it need not.
};

// `commit` is HEAD's; with nullopt, for an unborn branch, every entry is added. Unmerged paths are skipped. A
// folder whose tree id is cached in the index is compared by that id alone.
Result<IndexChanges> diff_with_head(Repository::State& state, const LoadedIndex& index,
                                    const std::optional<Oid>& commit, std::stop_token stop);

// Returns the id of the blob that HEAD has at each path (relative to the root); nullopt if it has none, or
// the index does not have the file as an ordinary entry. Errors: as read_status().
Result<std::vector<std::optional<Oid>>> head_blobs_of(const Repository& repository,
                                                      std::span<const std::string> paths,
                                                      const std::stop_token& stop);

}  // namespace snapgen::core::git
