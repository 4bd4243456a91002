#pragma once
// The git program, for what only git can settle.
//
// It is run without optional locks, hooks and fsmonitor, with every GIT_* variable cleared, LC_ALL=C, no
// standard input and a process group of its own, which a stop request kills. It fetches nothing. Clean
// filters run as the user's own configuration has them (filters.h): git cannot tell without them whether a
// file changed. It would wait for a FIFO in the place of a file of its own; that is found and reported
// instead (special_files.h).
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/config.h"
#include "tools/engine/git/repository.h"

namespace snapgen::core::git {

// The absolute path of a program, or empty.
std::string find_program(std::string_view name, std::string_view program_path);

struct GitAnswer {
  int exit_code = 0;
  std::string output;
  std::string complaint;  // what it wrote to stderr
};

// Runs `git <safe options> <arguments>` for the repository at `git_dir`, in its work tree's root. Errors:
// unavailable (no git, or it cannot be started, or a special file keeps it waiting; `why` says what it is
// needed for), cancelled.
Result<GitAnswer> run_git(const std::string& git_dir, const std::string& root, const Environment& environment,
                          const std::vector<std::string>& arguments, std::string_view why,
                          std::stop_token stop);

// The same with `settings` besides, of which there may be thousands, and with all filters that are
// configured.
Result<GitAnswer> run_git_with(const std::vector<ConfigEntry>& settings, const std::string& git_dir,
                               const std::string& root, const Environment& environment,
                               const std::vector<std::string>& arguments, std::string_view why,
                               std::stop_token stop);

// The error for a git that ran and failed: its first complaint, as a sentence.
Error git_failed(std::string_view what, const GitAnswer& answer);

}  // namespace snapgen::core::git
