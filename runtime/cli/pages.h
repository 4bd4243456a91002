#pragma once
// Writes manual pages and completions to the folders where shells and man search for them.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/cli/description.h"

namespace snapgen::cli {

struct ManualMetadata {
  std::string product;                   // Such as "snapgen 0.1.0".
  std::string date;                      // Such as "2026-11-22".
  std::vector<std::string> other_names;  // Other names of the program, such as "snapback".
  std::vector<std::string> see_also;     // More pages of section 1 for SEE ALSO.
};

struct ManualPage {
  std::string name;  // Such as "snap-store", for the file snap-store.1.
  std::string text;
};

// Returns the program's page with all leaf commands, and one page for each command with subcommands ("snap
// store ..." is snap-store). Each other name of the program gets a copy of its page.
std::vector<ManualPage> manual_pages(const Command& program, const ManualMetadata& text);

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
