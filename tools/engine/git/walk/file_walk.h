#pragma once
// Walks that find the files of a work tree (files.h). For use in git/ only.
#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/index.h"
#include "tools/engine/git/repository/state.h"
#include "tools/engine/git/walk/files.h"
#include "tools/engine/git/walk/untracked.h"
#include "tools/engine/git/walk/walk_listener.h"
#include "tools/engine/git/walk/worktree.h"

namespace snapgen::core::git {

// Lists all files. `listener` may be null. It is notified of folders with untracked files only; it must
// already watch the others. Errors: as list_files().
Result<FileListing> walk_files(Repository::State& state, const LoadedConfig& config, const Index& index,
                               ThreadCount threads, WalkListener* listener, std::stop_token stop);

// The smallest independently walkable region around a path, and the files that are in it now.
struct FileRegion {
  std::string path;  // Without a trailing slash.
  FileListing found;
};
Result<FileRegion> walk_files_at(Repository::State& state, const LoadedConfig& config, const Index& index,
                                 std::string_view path, WalkListener& listener, std::stop_token stop);

// TrackedFileCollector collects the tracked paths that are files or symlinks on disk. Use one per thread.
class TrackedFileCollector {
 public:
  explicit TrackedFileCollector(const Index& index) : index_(index) {}

  // `status` is the stat of the entry's path, valid if it exists.
  void add_entry(std::size_t at, Presence presence, const struct stat& status);

  std::vector<WorktreeFile> files;
  std::vector<SkippedPath> skipped;

 private:
  void skip(std::string_view path, SkipReason reason) {
    skipped.push_back({.path = std::string(path), .reason = reason});
  }

  const Index& index_;
};

// Merges the results of two workers and the untracked files. Errors: unavailable.
Result<FileListing> merged_listing(int root_fd, TrackedFileCollector first, TrackedFileCollector second,
                                   UntrackedFiles untracked);

}  // namespace snapgen::core::git
