#pragma once
// Completion of a program's commands, options and values, as scripts for bash, zsh and fish. The scripts need
// neither bash-completion nor a run of the program.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cli/description.h"

namespace snapgen::cli {

enum class Shell : unsigned char { bash, zsh, fish };

// Returns the shell of this name, or nullopt if it is unknown.
std::optional<Shell> shell_named(std::string_view name);

// Returns a completion script. `other_names` has other names of the same program.
std::string completion_script(const Command& program, Shell shell,
                              const std::vector<std::string>& other_names);

// Returns the file name that the shell searches for: "snap" below bash-completion/completions, "_snap" below
// zsh/site-functions, "snap.fish" below fish/vendor_completions.d.
std::string completion_file_name(const std::string& program, Shell shell);

// Returns the folder where the shell searches for completions, relative to /usr/share or ~/.local/share.
std::string completion_folder(Shell shell);

}  // namespace snapgen::cli
