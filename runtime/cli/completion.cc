#include "runtime/cli/completion.h"

#include "runtime/cli/shells.h"

namespace snapgen::cli {

std::optional<Shell> shell_named(std::string_view name) {
  if (name == "bash") return Shell::bash;
  if (name == "zsh") return Shell::zsh;
  if (name == "fish") return Shell::fish;
  return std::nullopt;
}

std::string completion_script(const Command& program, Shell shell,
                              const std::vector<std::string>& other_names) {
  switch (shell) {
    case Shell::bash: return bash_completion(program, other_names);
    case Shell::zsh: return zsh_completion(program, other_names);
    case Shell::fish: return fish_completion(program, other_names);
  }
  return "";
}

std::string completion_file_name(const std::string& program, Shell shell) {
  switch (shell) {
    case Shell::bash: return program;
    case Shell::zsh: return "_" + program;
    case Shell::fish: return program + ".fish";
  }
  return "";
}

std::string completion_folder(Shell shell) {
  switch (shell) {
    case Shell::bash: return "bash-completion/completions";
    case Shell::zsh: return "zsh/site-functions";
    case Shell::fish: return "fish/vendor_completions.d";
  }
  return "";
}

}  // namespace snapgen::cli
