#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include "runtime/cli/completion.h"
#include "runtime/cli/pages.h"
#include "tools/cli/command_line.h"
#include "tools/cli/commands.h"

namespace snapgen::tools {
namespace {

constexpr const char* command_name = "snap";
constexpr const char* other_name = "snapback";
constexpr const char* server_name = "snapgen-server";

// Describes a program for completions and manual pages, independently of the name under which this program
// was started.
cli::Program program_of(const std::string& name, std::vector<std::string> also) {
  Invocation unused;
  return {.command = cli::describe(*all_commands(name, command_set_of(name, {}), unused)),
          .text = {.product = "snapgen " SNAPGEN_VERSION,
                   .date = SNAPGEN_DATE,
                   .other_names = std::move(also),
                   .see_also = {name == server_name ? command_name : server_name, "snapgen"}}};
}

Result<int> print_completion(const Invocation& invocation, const std::string& shell) {
  const cli::Program program = program_of(command_name, {other_name});
  TRY(invocation.out.print(
      cli::completion_script(program.command, *cli::shell_named(shell), program.text.other_names)));
  return exit_done;
}

Result<int> write_manual(const std::string& folder) {
  TRY(cli::write_manual_and_completions(
      folder, {program_of(command_name, {other_name}), program_of(server_name, {})}));
  return exit_done;
}

}  // namespace

void add_pages_commands(CLI::App& program, Invocation& invocation) {
  auto shell = std::make_shared<std::string>();
  CLI::App& completion =
      add_command(program, invocation,
                  {.name = "completion",
                   .description = std::string(cli::completion_description),
                   .examples = {{"eval \"$(snap completion bash)\"", "in ~/.bashrc"},
                                {"eval \"$(snap completion zsh)\"", "in ~/.zshrc, below compinit"},
                                {"snap completion fish | source", "in ~/.config/fish/config.fish"}},
                   .exit_codes = "0 done; 2 the command line is wrong.",
                   .takes_workspace = false,
                   .takes_json = false},
                  [shell](const Invocation& parsed) { return print_completion(parsed, *shell); });
  completion.add_option("SHELL", *shell, "The shell of the script.")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  auto folder = std::make_shared<std::string>();
  CLI::App& manual = add_command(program, invocation,
                                 {.name = "manual",
                                  .description = std::string(cli::manual_description),
                                  .examples = {{"snap manual ~/.local/share", "for one user"}},
                                  .takes_workspace = false,
                                  .takes_json = false},
                                 [folder](const Invocation&) { return write_manual(*folder); });
  manual.add_option("DIR", *folder, "The folder of share/; created if it does not exist.")->required();
}

}  // namespace snapgen::tools
