#pragma once
// Writes manual pages and completions to the folders where shells and man search for them.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/cli/description.h"
#include "runtime/cli/manual.h"

namespace snapgen::cli {

struct Program {
  Command command;
  ManualMetadata text;
};

// Descriptions of the commands that write completions and manual pages. All programs use the same text.
inline constexpr std::string_view completion_description = "Print the completion script of a shell.";
inline constexpr std::string_view manual_description =
    "Write the manual pages, and completions for all shells, below DIR as /usr/share has them.";

// Writes files to man/man1/, bash-completion/completions/, zsh/site-functions/ and fish/vendor_completions.d/
// below `folder`. Existing files are replaced. Errors: unavailable (names the file that cannot be written).
Result<Unit> write_manual_and_completions(const std::string& folder, const std::vector<Program>& programs);

}  // namespace snapgen::cli
