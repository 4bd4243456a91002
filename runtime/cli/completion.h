#pragma once
// Completion of a program's commands, options and values, as the scripts that bash, zsh and fish read. Each
// stands by itself: nothing of bash-completion is needed, and the program is not run while somebody types.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cli/description.h"

namespace snapgen::cli {

enum class Shell : unsigned char { bash, zsh, fish };

// None: there is no such shell.
std::optional<Shell> shell_named(std::string_view name);

// `also`: other names of the same program.
std::string completion(const Command& program, Shell shell, const std::vector<std::string>& also);

// As the shell looks for it: "snap" below bash-completion/completions, "_snap" below zsh/site-functions,
// "snap.fish" below fish/vendor_completions.d.
std::string completion_file(const std::string& program, Shell shell);

// Below /usr/share or ~/.local/share.
std::string completion_folder(Shell shell);

}  // namespace snapgen::cli
