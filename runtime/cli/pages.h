#pragma once
// Pages: all that a program says of itself outside of itself, written where people's shells and man look for
// it.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/cli/description.h"
#include "runtime/cli/manual.h"

namespace snapgen::cli {

struct Program {
  Command command;
  ManualText text;
};

// What the commands that do it are called and say, so that all programs say the same.
inline constexpr std::string_view completion_what =
    "Print the script that completes this program's commands and options in a shell.";
inline constexpr std::string_view manual_what =
    "Write the manual pages, and completions for all shells, below DIR as /usr/share has them.";

// Below `folder`: man/man1/, bash-completion/completions/, zsh/site-functions/, fish/vendor_completions.d/.
// What is there already is replaced. Errors: unavailable, and which file cannot be written.
Result<Unit> write_pages(const std::string& folder, const std::vector<Program>& programs);

}  // namespace snapgen::cli
