#pragma once
// The untracked files of a work tree, found as git finds them (git-status(1), --untracked-files).
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/index.h"
#include "tools/engine/git/repository/settings.h"
#include "tools/engine/git/repository/state.h"
#include "tools/engine/git/walk/files.h"
#include "tools/engine/git/walk/ignore.h"
#include "tools/engine/git/walk/walk_listener.h"

namespace snapgen::core::git {

struct UntrackedFiles {
  std::vector<std::string>
      status_paths;                  // Sorted by bytes; a collapsed folder or nested repository ends in '/'.
  std::vector<SkippedPath> skipped;  // Unsorted; only if every folder is entered (ShowUntracked::all).
  std::vector<std::string> listed_files;  // For a listing; sorted, nothing collapsed; only with `all`.
  std::string fallback_reason;            // Why the git program must decide; empty if it need not.
};

// Finds the untracked files. `show` is normal (folders collapse) or all. `listener` may be null.
Result<UntrackedFiles> find_untracked(Repository::State& state, const Settings& settings, const Index& index,
                                      int root_fd, ShowUntracked show, WalkListener* listener,
                                      std::stop_token stop);

// Like find_untracked(), but gets `skipped` and `listed_files` as with ShowUntracked::all in the same walk.
Result<UntrackedFiles> find_untracked_files(Repository::State& state, const Settings& settings,
                                            const Index& index, int root_fd, ShowUntracked show,
                                            std::stop_token stop);

// The smallest independently walkable region around a path, and what is in it now.
struct UntrackedRegion {
  std::string path;  // Without a trailing slash; the region includes the paths below it.
  UntrackedFiles found;
};
Result<UntrackedRegion> find_untracked_at(Repository::State& state, const Settings& settings,
                                          const Index& index, int root_fd, ShowUntracked show,
                                          std::string_view path, WalkListener* listener,
                                          std::stop_token stop);

// Returns the rules from outside the work tree. Sets `fallback_reason` if git would reject a file.
Result<IgnoreStack> outside_ignore_rules(const Repository::State& state, const Settings& settings,
                                         std::string& fallback_reason);

// Returns the rules of one folder's .gitignore: from disk, or from the index if a sparse checkout omitted it.
// `path` ends in a slash or is empty. Returns null if there are no rules.
Result<std::shared_ptr<const IgnoreRules>> folder_ignore_rules(Repository::State& state,
                                                               const Settings& settings, const Index& index,
                                                               int root_fd, const std::string& path,
                                                               bool on_disk);

}  // namespace snapgen::core::git
