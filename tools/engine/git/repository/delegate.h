#pragma once
// Runs the git program, for results that only git can compute.
//
// It runs without optional locks, hooks, fsmonitor and terminal, with all GIT_* variables cleared and
// LC_ALL=C, in a separate process group that a stop request kills. It fetches nothing. Clean filters run as
// the user configured them (filters.h), because without them git cannot detect whether a file changed. Git
// would block on a FIFO in place of one of its own files, and read a huge file into memory, so such files are
// detected and reported instead (file_checks.h).
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/config.h"
#include "tools/engine/git/repository/repository.h"

namespace snapgen::core::git {

// Returns the absolute path of a program, or an empty string.
std::string find_program(std::string_view name, std::string_view program_path);

struct GitAnswer {
  int exit_code = 0;
  std::string output;
  std::string error_output;  // The output on stderr.
};

// Runs `git <safe options> <arguments>` for the repository at `git_dir`, in the root of its work tree. `why`
// is for the error message; `input` is git's standard input. Errors: unavailable (git is missing or cannot be
// started, or as for check_git_files()), cancelled.
Result<GitAnswer> run_git(const std::string& git_dir, const std::string& root, const Environment& environment,
                          const std::vector<std::string>& arguments, std::string_view why,
                          std::stop_token stop, std::string_view input = {});

// Like run_git(), with `settings`, of which there may be thousands, and all configured filters.
Result<GitAnswer> run_git_with(const std::vector<ConfigEntry>& settings, const std::string& git_dir,
                               const std::string& root, const Environment& environment,
                               const std::vector<std::string>& arguments, std::string_view why,
                               std::stop_token stop, std::string_view input = {});

// Returns the error for a failed git command: the reason that git printed, as a sentence.
Error git_command_error(std::string_view what, const GitAnswer& answer);

}  // namespace snapgen::core::git
