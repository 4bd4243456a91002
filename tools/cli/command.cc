#include "tools/cli/command.h"

#include <iostream>
#include <string>
#include <utility>

#include "runtime/json/writer.h"
#include "tools/cli/help.h"

namespace snapgen::tools {
namespace {

constexpr const char* workspace_help =
    "The workspace. Default: SNAPBACK_WORKSPACE_ROOT, or the nearest folder from here upwards that contains "
    ".git, .snapback or package.json.";

// Returns the error as JSON for scripts.
std::string error_json(const Error& error) {
  if (!error.details.empty()) return error.details;
  return "{\"error\":{\"code\":" + json::quoted(text(error.code)) +
         ",\"message\":" + json::quoted(error.message) + "}}";
}

}  // namespace

CLI::App& add_group(CLI::App& parent, std::string name, std::string what) {
  CLI::App& group = *parent.add_subcommand(std::move(name), std::move(what));
  group.require_subcommand(1);
  return group;
}

CLI::App& add_command(CLI::App& parent, Chosen& chosen, const CommandText& text,
                      std::function<Result<int>(const Chosen&)> run) {
  CLI::App& command = *parent.add_subcommand(text.name, text.what);
  command.footer(footer_of(text));
  if (text.takes_workspace) add_workspace(command, chosen);
  if (text.takes_json) command.add_flag("--json", chosen.json, "Print one line of JSON.");
  command.callback([&chosen, run = std::move(run)] { chosen.run = run; });
  return command;
}

void add_workspace(CLI::App& command, Chosen& chosen) {
  command.add_option("--workspace", chosen.workspace, workspace_help)->type_name("DIR");
}

bool agreed(const Chosen& chosen, std::string_view question) {
  static_cast<void>(chosen.errors.print(std::string(question) + " [y/N] "));
  std::string line;
  return std::getline(std::cin, line) && (line == "y" || line == "Y" || line == "yes");
}

Result<int> print_answer(const Chosen& chosen, std::string_view json, std::string_view text, int exit_code) {
  TRY(chosen.json ? chosen.out.print(std::string(json) + "\n") : chosen.out.print(text));
  return exit_code;
}

void say(const Chosen& chosen, const Error& error) {
  if (chosen.json) static_cast<void>(chosen.out.print(error_json(error) + "\n"));
  std::string said = printable(error.message);
  if (!error.cause.empty()) said += "\n  " + printable(error.cause);
  static_cast<void>(chosen.errors.print(said + "\n"));
}

int run(const Chosen& chosen) {
  Result<int> outcome = chosen.run(chosen);
  if (outcome) return *outcome;
  const Error& error = outcome.error();
  say(chosen, error);
  if (error.code == ErrorCode::cancelled) return interrupted;
  return error.code == ErrorCode::invalid_argument ? wrong_usage : failed_or_found;
}

}  // namespace snapgen::tools
