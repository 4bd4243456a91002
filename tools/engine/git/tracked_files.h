#pragma once
// What a walk over the index's entries finds for a listing (files.h). For this folder alone.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>

#include "runtime/base/result.h"
#include "tools/engine/git/files.h"
#include "tools/engine/git/index.h"
#include "tools/engine/git/untracked.h"
#include "tools/engine/git/worktree.h"

namespace snapgen::core::git {

// Collects the tracked paths that are files or symlinks on disk. One per thread.
class TrackedFiles {
 public:
  explicit TrackedFiles(const Index& index) : index_(index) {}

  // What stands at the path of this entry; `status` is set where something does.
  void take(std::size_t at, Presence presence, const struct stat& status);

  std::vector<WorktreeFile> files;
  std::vector<SkippedPath> skipped;

 private:
  void skip(std::string_view path, SkipReason reason) {
    skipped.push_back({.path = std::string(path), .reason = reason});
  }

  const Index& index_;
};

// What two workers found, with the untracked files among `untracked.paths`. Errors: unavailable.
Result<FileListing> listing_of(int root_fd, TrackedFiles first, TrackedFiles second, Untracked untracked);

}  // namespace snapgen::core::git
