#pragma once
// What a status is made from, and how it is put together. For this folder alone.
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "tools/engine/git/files.h"
#include "tools/engine/git/fingerprint.h"
#include "tools/engine/git/head_diff.h"
#include "tools/engine/git/state.h"
#include "tools/engine/git/walk_listener.h"
#include "tools/engine/git/worktree.h"
#include "tools/engine/git/worktree_diff.h"

namespace snapgen::core::git {

// What the repository's own files say.
struct Loaded {
  std::shared_ptr<const LoadedConfig> config;
  std::shared_ptr<const LoadedIndex> index;
  Head head;
};

Result<Loaded> load(Repository::State& state, std::stop_token stop);

struct StatusParts {
  std::vector<IndexChange> staged;       // sorted; no renames found yet
  std::vector<WorktreeChange> unstaged;  // sorted
  std::vector<std::string> untracked;    // sorted
};

// Looks at everything. Leaves `doubt` where only git can tell. `listener` may be null.
Result<Unit> read_parts(Repository::State& state, const Loaded& loaded, bool tracked_only, Threads threads,
                        WalkListener* listener, std::stop_token stop, StatusParts& out, std::string& doubt);

// The same, and the files that the walk meets, as list_files() tells them.
Result<Unit> read_parts_and_files(Repository::State& state, const Loaded& loaded, std::stop_token stop,
                                  StatusParts& out, FileListing& files, std::string& doubt);

// Finds the renames, and fills in the bytes and entries.
Result<Unit> put_together(Repository::State& state, const Loaded& loaded, StatusParts parts,
                          std::stop_token stop, Status& out, std::string& doubt);

// Fills in the fingerprint; the bytes are there.
Result<Unit> add_fingerprint(Repository::State& state, const Loaded& loaded, Status& out);

// The folders of the index's entries in [begin, end), each told before those below it.
void enter_tracked_folders(const Index& index, std::size_t begin, std::size_t end, WalkListener& listener);

}  // namespace snapgen::core::git
