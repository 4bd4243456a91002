#include "tools/cli/command.h"

#include <csignal>
#include <iostream>
#include <string>
#include <utility>

#include "runtime/json/details.h"
#include "runtime/json/writer.h"
#include "tools/cli/help.h"

namespace snapgen::tools {
namespace {

constexpr const char* workspace_help =
    "The workspace. Default: SNAPBACK_WORKSPACE_ROOT, or the nearest folder from here upwards that contains "
    ".git, .snapback or package.json.";

// Returns the error as JSON for scripts.
std::string error_json(const Error& error) {
  if (const std::string_view answer = error.details.text(answer_key); !answer.empty())
    return std::string(answer);
  if (!error.details.empty()) return json::object_text(error.details);
  return "{\"error\":{\"code\":" + json::quoted(text(error.code)) +
         ",\"message\":" + json::quoted(error.message) + "}}";
}

}  // namespace

CLI::App& add_group(CLI::App& parent, std::string name, std::string what) {
  CLI::App& group = *parent.add_subcommand(std::move(name), std::move(what));
  group.require_subcommand(1);
  return group;
}

CLI::App& add_command(CLI::App& parent, Invocation& invocation, const CommandText& text,
                      std::function<Result<int>(const Invocation&)> run) {
  CLI::App& command = *parent.add_subcommand(text.name, text.description);
  command.footer(footer_of(text));
  if (text.takes_workspace) add_workspace_option(command, invocation);
  if (text.takes_json) command.add_flag("--json", invocation.prints_json, "Print one line of JSON.");
  command.callback([&invocation, run = std::move(run)] { invocation.run = run; });
  return command;
}

void add_workspace_option(CLI::App& command, Invocation& invocation) {
  command.add_option("--workspace", invocation.workspace, workspace_help)->type_name("DIR");
}

std::optional<std::string> ask_line(const Invocation& invocation, std::string_view question) {
  // During the question, Ctrl-C ends the process, because there is no call to cancel.
  struct sigaction before = {};
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  ::sigaction(SIGINT, &plain, &before);
  const Result<Unit> printed = invocation.error_output.print(std::string(question) + " ");
  std::string line;
  const bool is_typed = printed && std::getline(std::cin, line);
  ::sigaction(SIGINT, &before, nullptr);
  return is_typed ? std::optional(std::move(line)) : std::nullopt;
}

bool ask_yes_no(const Invocation& invocation, std::string_view question) {
  const std::optional<std::string> line = ask_line(invocation, std::string(question) + " [y/N]");
  return line == "y" || line == "Y" || line == "yes" || line == "Yes";
}

Result<int> print_answer(const Invocation& invocation, std::string_view json, std::string_view text,
                         int exit_code) {
  TRY(invocation.prints_json ? invocation.out.print(std::string(json) + "\n") : invocation.out.print(text));
  return exit_code;
}

void print_error(const Invocation& invocation, const Error& error) {
  if (invocation.prints_json) static_cast<void>(invocation.out.print(error_json(error) + "\n"));
  std::string text = printable(error.message);
  if (!error.cause.empty()) text += "\n  " + printable(error.cause);
  static_cast<void>(invocation.error_output.print(text + "\n"));
}

int run_invocation(const Invocation& invocation) {
  Result<int> outcome = invocation.run(invocation);
  if (outcome) return *outcome;
  const Error& error = outcome.error();
  print_error(invocation, error);
  if (error.code == ErrorCode::cancelled) return exit_interrupted;
  return error.code == ErrorCode::invalid_argument ? exit_wrong_usage : exit_failed_or_found;
}

}  // namespace snapgen::tools
