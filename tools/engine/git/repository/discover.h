#pragma once
// Finds the repository of a folder, as git does (git(1), GIT_DISCOVERY_ACROSS_FILESYSTEM unset), and reads
// its format.
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/git/repository/repository.h"

namespace snapgen::core::git {

// The location of a repository, which is constant while the repository is open.
struct RepositoryLayout {
  bool is_git = false;
  std::string folder;      // The folder with `.git`; without git, the workspace.
  std::string root;        // The work tree: `folder`, unless core.worktree is set.
  std::string git_dir;     // empty without git
  std::string common_dir;  // empty without git

  bool operator==(const RepositoryLayout&) const = default;
};

// The format of a repository. A configuration command may change it at any time.
struct RepositoryFormat {
  HashKind kind = HashKind::sha1;
  bool worktree_config = false;  // `config.worktree` is read too.
  bool partial_clone = false;
  std::string root;             // The work tree, from core.worktree or its absence.
  std::string fallback_reason;  // Why the git program must be run; empty if it need not.
};

// Reads the format of a repository. Errors: invalid_argument (it is bare), not_found (the folder of
// core.worktree does not exist).
Result<RepositoryFormat> read_repository_format(const RepositoryLayout& layout);

// Finds the repository of `directory`. Errors: as Repository::open().
Result<RepositoryLayout> discover(const std::string& directory, const Environment& environment);

// Returns the repository whose `.git` is in `folder`, without a check of its owner; for submodules, which
// their parent repository vouches for. Returns nullopt if there is no valid `.git`.
Result<std::optional<RepositoryLayout>> layout_at(const std::string& folder);

// Returns true if git's upward search stops at `folder`: it contains a `.git` file, or a `.git` folder with a
// HEAD, objects and refs. If the file names no repository, git fails and does not search further up. It skips
// a `.git` folder without a HEAD, which other programs leave behind.
bool is_repository_root(const std::string& folder);

// Returns true if `folder` (with a trailing slash, or empty for the root) contains a valid `.git`.
bool has_repository(int root_fd, const std::string& folder);

// Returns the git dir that a `.git` file names, valid or not, or nullopt if `path` is not such a file.
std::optional<std::string> git_dir_of_git_file(const std::string& path);

// Returns the system-wide configuration file, which is below the prefix where `program` is installed.
std::string system_config_path(const std::string& program);

// Returns the user's configuration files in git's order, without those that cannot exist.
std::vector<std::string> user_config_paths(const Environment& environment);

}  // namespace snapgen::core::git
