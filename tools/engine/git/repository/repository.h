#pragma once
// Repository is a workspace folder as git sees it, opened once and queried often.
//
// A folder without a git repository is valid: every query then answers as if `git init` had just been run
// there. The repository is found as git does (upwards to the file system's boundary, `.git` folders and
// `.git` files, linked work trees, core.worktree), but GIT_* variables are ignored.
//
// Thread-safe. Cached data (configuration, the parsed index, proofs that a file is clean) is checked by stat
// in each query.
#include <memory>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::core {

// The environment variables that affect git's results.
struct Environment {
  std::string home;             // $HOME; empty if unset
  std::string xdg_config_home;  // $XDG_CONFIG_HOME; empty means $HOME/.config
  std::string path_variable;    // $PATH, where the git program is searched.

  static Environment of_process();
};

class Repository {
 public:
  // Opens the repository of `directory`, which must exist. Errors: not_found (no such folder),
  // invalid_argument (a bare repository, a folder inside `.git`, a broken `.git` file), permission_denied
  // (another user owns it and it is not in safe.directory, git's CVE-2022-24765 rule).
  static Result<Repository> open(std::string_view directory,
                                 Environment environment = Environment::of_process());

  Repository(Repository&&) noexcept;
  Repository& operator=(Repository&&) noexcept;
  ~Repository();

  bool is_git() const;
  // The root of the work tree: absolute, symlinks resolved, no trailing slash. Paths are relative to it.
  const std::string& root() const;
  const std::string& git_dir() const;     // Absolute; empty without git.
  const std::string& common_dir() const;  // git_dir(), except in a linked work tree.

  struct State;
  State& state() const { return *state_; }  // For use in git/ only.

 private:
  explicit Repository(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace snapgen::core
