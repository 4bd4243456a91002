#pragma once
// The untracked files of a work tree, found as git finds them (git-status(1), --untracked-files).
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/files.h"
#include "tools/engine/git/ignore.h"
#include "tools/engine/git/index.h"
#include "tools/engine/git/settings.h"
#include "tools/engine/git/state.h"
#include "tools/engine/git/walk_listener.h"

namespace snapgen::core::git {

struct Untracked {
  std::vector<std::string> paths;    // sorted by bytes; a collapsed folder or nested repository ends in '/'
  std::vector<SkippedPath> skipped;  // when every folder is entered (ShowUntracked::all); in no order
  std::vector<std::string> files;    // for a listing; the same; sorted, nothing collapsed
  std::string doubt;                 // why only git can tell; empty: it is settled
};

// `show` is normal (folders collapse) or all. `listener` may be null.
Result<Untracked> find_untracked(Repository::State& state, const Settings& settings, const Index& index,
                                 int root_fd, ShowUntracked show, WalkListener* listener,
                                 std::stop_token stop);

// Both in one walk: `paths` as `show` says, and `skipped` and `files` as if every folder were shown.
Result<Untracked> find_untracked_files(Repository::State& state, const Settings& settings, const Index& index,
                                       int root_fd, ShowUntracked show, std::stop_token stop);

// The smallest part of the walk that tells of one path by itself, and what is found there now.
struct UntrackedRegion {
  std::string path;  // without a final slash: this, and all below it
  Untracked found;
};
Result<UntrackedRegion> find_untracked_at(Repository::State& state, const Settings& settings,
                                          const Index& index, int root_fd, ShowUntracked show,
                                          std::string_view path, WalkListener* listener,
                                          std::stop_token stop);

// The rules that come from outside the work tree's folders. Sets `doubt` where git would refuse a file.
IgnoreStack base_rules(const Repository::State& state, const Settings& settings, std::string& doubt);

// The rules of one folder's .gitignore: from disk, or from the index where a sparse checkout left it out.
// `path` ends in a slash or is empty; null: no rules.
Result<std::shared_ptr<const IgnoreRules>> folder_rules(Repository::State& state, const Settings& settings,
                                                        const Index& index, int root_fd,
                                                        const std::string& path, bool on_disk);

}  // namespace snapgen::core::git
