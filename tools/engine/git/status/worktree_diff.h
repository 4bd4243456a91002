#pragma once
// The differences between the index and the work tree: the second letter of a status (git-status(1)).
#include <cstddef>
#include <string>
#include <vector>

#include "tools/engine/git/repository/index.h"
#include "tools/engine/git/repository/settings.h"
#include "tools/engine/git/repository/state.h"
#include "tools/engine/git/walk/content.h"
#include "tools/engine/git/walk/file_walk.h"
#include "tools/engine/git/walk/walk_listener.h"
#include "tools/engine/git/walk/worktree.h"

namespace snapgen::core::git {

struct WorktreeChange {
  std::size_t entry_index = 0;  // Position in the index.
  char letter = 'M';            // M modified, T type changed, D deleted, A intent to add

  bool operator<(const WorktreeChange& other) const { return entry_index < other.entry_index; }
};

// Returns the mode of the file at an entry's path, as git would store it.
std::uint32_t worktree_mode(const IndexEntry& entry, const struct stat& status, const Settings& settings);

// WorktreeDiff compares ranges of index entries; use one per thread. It skips unmerged entries.
class WorktreeDiff {
 public:
  WorktreeDiff(Repository::State& state, const LoadedConfig& config, const Index& index,
               Attributes& attributes, int root_fd, WalkListener* listener, std::stop_token stop);

  void operator()(std::size_t begin, std::size_t end);

  TrackedFileCollector* listing = nullptr;  // If set, it receives the stat of every entry.
  std::vector<WorktreeChange> changes;
  std::string fallback_reason;  // Why the git program must decide; empty if it need not.
  std::optional<Error> error;   // The error that stopped the comparison.

 private:
  void compare_entry(std::size_t at);
  void compare_file(std::size_t at, const struct stat& status);
  void compare_gitlink(std::size_t at, Presence presence, const struct stat& status);
  bool may_ignore_submodules() const;

  Repository::State& repository_state_;
  const LoadedConfig& config_;
  const Settings& settings_;
  const Index& index_;
  const int root_fd_;
  WalkListener* const listener_;  // May be null.
  const std::stop_token stop_;
  const std::string empty_blob_;
  const bool clears_skip_worktree_;
  PathProbe probe_;
  IndexContentCheck content_check_;
};

}  // namespace snapgen::core::git
