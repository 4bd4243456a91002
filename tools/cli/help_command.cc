#include <memory>
#include <string>
#include <vector>

#include "runtime/cli/sentence.h"
#include "tools/cli/commands.h"

namespace snapgen::tools {
namespace {

Result<int> print_help(const CLI::App& program, const Invocation& invocation,
                       const std::vector<std::string>& words) {
  const CLI::App* about = &program;
  for (const std::string& word : words) {
    const std::vector<const CLI::App*> found =
        about->get_subcommands([&](const CLI::App* each) { return each->get_name() == word; });
    if (found.empty())
      return Error(ErrorCode::invalid_argument, cli::unknown_command_sentence(*about, word, printable));
    about = found.front();
  }
  // App::help() would print the help of the command `help` itself.
  TRY(invocation.out.print(program.get_formatter()->make_help(about, "", CLI::AppFormatMode::Normal)));
  return exit_done;
}

}  // namespace

void add_help_command(CLI::App& program, Invocation& invocation) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "help",
       .description = "Show how to use a command, like its --help.",
       .examples = {{"snap help", "all commands"}, {"snap help snapshot restore", ""}},
       .exit_codes = "0 done; 2 unknown command.",
       .takes_workspace = false,
       .takes_json = false},
      [&program, words](const Invocation& parsed) { return print_help(program, parsed, *words); });
  command.add_option("COMMAND", *words, "The command. Default: the whole program.");
}

}  // namespace snapgen::tools
