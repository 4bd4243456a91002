#pragma once
// Finds the repository that holds a folder, as git does (git(1), GIT_DISCOVERY_ACROSS_FILESYSTEM unset), and
// reads its format.
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/git/repository.h"

namespace snapgen::core::git {

// Where a repository is; this stays for as long as it is open.
struct Layout {
  bool is_git = false;
  std::string folder;      // the one that holds `.git`; without git, the workspace
  std::string root;        // the work tree: the same, unless core.worktree says otherwise
  std::string git_dir;     // empty without git
  std::string common_dir;  // empty without git

  bool operator==(const Layout&) const = default;
};

// How a repository is written; a configuration command may change it at any time.
struct Format {
  HashKind kind = HashKind::sha1;
  bool worktree_config = false;  // `config.worktree` is read too
  bool partial_clone = false;
  std::string root;   // the work tree that core.worktree or its absence names
  std::string doubt;  // why only git itself may judge it
};

// Errors: invalid_argument (bare), not_found (core.worktree names nothing).
Result<Format> read_format(const Layout& layout);

// Errors: see Repository::open().
Result<Layout> discover(const std::string& directory, const Environment& environment);

// The repository whose `.git` is in `folder` itself, without a look at its owner: for submodules, which their
// parent vouches for. Nothing when there is no valid `.git`.
Result<std::optional<Layout>> layout_at(const std::string& folder);

// Whether git, on its way up from a folder, would stop at `folder`: it holds a `.git` folder with a HEAD,
// objects and refs, or a `.git` file. git rejects a file that names no repository and does not look further
// up. It passes by a `.git` folder without a HEAD, which other programs leave behind.
bool is_repository_root(const std::string& folder);

// Whether `folder` (with a final slash, or empty for the root) holds a repository of its own: a valid `.git`.
bool holds_repository(int root_fd, const std::string& folder);

// The git dir that a `.git` file names, valid or not; nothing when `path` is no such file.
std::optional<std::string> git_dir_of_file(const std::string& path);

// Where git looks for the system-wide configuration: below the prefix that `program` is installed in.
std::string system_config_path(const std::string& program);

// The user's own files, in the order git reads them; those that cannot exist are left out.
std::vector<std::string> user_config_paths(const Environment& environment);

}  // namespace snapgen::core::git
