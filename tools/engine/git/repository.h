#pragma once
// Repository: a workspace folder as git sees it, opened once and asked often.
//
// A folder that no git repository holds is a valid state: everything then answers as if `git init` had just
// been run there. Opening finds the repository as git does (upwards to the file system's border, `.git`
// folders and
// `.git` files, linked work trees, core.worktree) but never listens to GIT_* variables.
//
// Thread-safe: any number of threads may ask at once. What is kept between questions (configuration, the
// parsed index, proofs that a file is clean) is checked against the files' stat each time.
#include <memory>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::core {

// What the process's surroundings contribute to git's answers.
struct Environment {
  std::string home;             // $HOME; empty if unset
  std::string xdg_config_home;  // $XDG_CONFIG_HOME; empty means $HOME/.config
  std::string program_path;     // $PATH, where the git program is looked for

  static Environment of_process();
};

class Repository {
 public:
  // `directory`: an existing folder. Errors: not_found (no such folder), invalid_argument (a bare repository,
  // a folder inside `.git`, a broken `.git` file), permission_denied (owned by somebody else and not in
  // safe.directory, git's CVE-2022-24765 rule).
  static Result<Repository> open(std::string_view directory,
                                 Environment environment = Environment::of_process());

  Repository(Repository&&) noexcept;
  Repository& operator=(Repository&&) noexcept;
  ~Repository();

  bool is_git() const;
  const std::string& root() const;  // Absolute, symlinks resolved, no final slash: paths are relative to it.
  const std::string& git_dir() const;     // Absolute; empty without git.
  const std::string& common_dir() const;  // As git_dir() unless this is a linked work tree.

  struct State;
  State& state() const { return *state_; }  // For the files of this folder alone.

 private:
  explicit Repository(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace snapgen::core
