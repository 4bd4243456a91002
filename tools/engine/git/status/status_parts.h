#pragma once
// The parts of a status, and how they are combined. For use in git/ only.
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "tools/engine/git/repository/state.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/git/status/head_diff.h"
#include "tools/engine/git/status/worktree_diff.h"
#include "tools/engine/git/walk/files.h"
#include "tools/engine/git/walk/walk_listener.h"
#include "tools/engine/git/walk/worktree.h"

namespace snapgen::core::git {

// The contents of the repository's own files.
struct LoadedRepository {
  std::shared_ptr<const LoadedConfig> config;
  std::shared_ptr<const LoadedIndex> index;
  Head head;
};

Result<LoadedRepository> load_repository(Repository::State& state, std::stop_token stop);

struct StatusParts {
  std::vector<IndexChange> staged;       // Sorted; renames are not detected yet.
  std::vector<WorktreeChange> unstaged;  // Sorted.
  std::vector<std::string> untracked;    // Sorted.
};

// Reads everything. Sets `fallback_reason` if the git program must decide. `listener` may be null.
Result<Unit> read_status_parts(Repository::State& state, const LoadedRepository& loaded, bool tracked_only,
                               ThreadCount threads, WalkListener* listener, std::stop_token stop,
                               StatusParts& out, std::string& fallback_reason);

// Like read_status_parts(), and also returns the files of list_files() from the same walk.
Result<Unit> read_status_parts_and_files(Repository::State& state, const LoadedRepository& loaded,
                                         std::stop_token stop, StatusParts& out, FileListing& files,
                                         std::string& fallback_reason);

// Detects the renames, and sets the bytes and entries.
Result<Unit> assemble_status(Repository::State& state, const LoadedRepository& loaded, StatusParts parts,
                             std::stop_token stop, GitStatus& out, std::string& fallback_reason);

// Adds the fingerprint to a status that has its bytes.
Result<Unit> add_fingerprint(Repository::State& state, const LoadedRepository& loaded, GitStatus& out);

// Returns why only the git program can compute the status, or an empty string if the engine can.
std::string reason_git_is_needed(Repository::State& state, const LoadedConfig& config,
                                 const LoadedIndex& index, const Head& head);

}  // namespace snapgen::core::git
