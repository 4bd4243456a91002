#pragma once
// Walks for the files of a work tree (files.h). For this folder alone.
#include <stop_token>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/git/files.h"
#include "tools/engine/git/index.h"
#include "tools/engine/git/state.h"
#include "tools/engine/git/walk_listener.h"
#include "tools/engine/git/worktree.h"

namespace snapgen::core::git {

// All of them. `listener` may be null; it is told of the folders that only untracked files are in, and must
// know the others. Errors: as list_files().
Result<FileListing> walk_files(Repository::State& state, const LoadedConfig& config, const Index& index,
                               Threads threads, WalkListener* listener, std::stop_token stop);

// The smallest part of the walk that tells of one path by itself: what stands at `path` now, and below it.
struct FileRegion {
  std::string path;  // without a final slash
  FileListing found;
};
Result<FileRegion> walk_files_at(Repository::State& state, const LoadedConfig& config, const Index& index,
                                 std::string_view path, WalkListener& listener, std::stop_token stop);

}  // namespace snapgen::core::git
