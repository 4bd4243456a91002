#pragma once
// Shared by all commands: declaring a command, its common options, and running it.
//
//   void add_store_commands(CLI::App& program, Invocation& invocation) {
//     CLI::App& store = add_group(program, "store", "Maintain the snapshot store.");
//     auto options = std::make_shared<GcOptions>();
//     CLI::App& gc = add_command(store, invocation, {.name = "gc", .description = "...", .examples = {...}},
//                                [options](const Invocation& invocation) { return run_gc(invocation,
//                                *options); });
//     gc.add_flag("--dry-run", options->dry_run, "Show what would be deleted, and change nothing.");
//   }
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>

#include "runtime/base/result.h"
#include "tools/cli/terminal.h"

namespace snapgen::tools {

// The member of an error's details that has the whole answer of a tool, as a text.
inline constexpr const char* answer_key = "answer";

// The choices on the command line: the workspace, the form of the output, and the command.
struct Invocation {
  std::optional<std::string> workspace;  // The value of --workspace.
  bool prints_json = false;              // True with --json.
  Terminal out = Terminal::of(1);
  Terminal error_output = Terminal::of(2);

  // Runs the chosen command. Returns the exit code, or an error that is not printed yet. Errors:
  // invalid_argument (wrong command line). With --json, the answer in an error's details is printed if there
  // is one, or else the details.
  std::function<Result<int>(const Invocation&)> run;
};

struct Example {
  std::string line;         // The command line as a user types it.
  std::string description;  // A phrase about the example, without a full stop.
};

struct CommandText {
  std::string name;
  std::string description;  // One or more sentences. A list of commands shows only the first one.
  std::vector<Example> examples = {};
  std::string exit_codes = "0 done; 1 it failed; 2 the command line is wrong.";
  bool takes_workspace = true;
  bool takes_json = true;
};

// Exit codes that all commands share.
inline constexpr int exit_done = 0;
inline constexpr int exit_failed_or_found = 1;  // The command failed, or found problems.
inline constexpr int exit_wrong_usage = 2;
inline constexpr int exit_interrupted = 130;  // Ctrl-C ended the command; shells use the same code.

// Adds a command that has subcommands. The user must choose one of these.
CLI::App& add_group(CLI::App& parent, std::string name, std::string what);

// Adds a command. `parent` must outlive the command, and `invocation` the parsing of the command line.
CLI::App& add_command(CLI::App& parent, Invocation& invocation, const CommandText& text,
                      std::function<Result<int>(const Invocation&)> run);

// Adds --workspace; add_command() does so by default.
void add_workspace_option(CLI::App& command, Invocation& invocation);

// Prints `json` as one line, or `text`. Returns `exit_code`. Errors: as Terminal::print().
Result<int> print_answer(const Invocation& invocation, std::string_view json, std::string_view text,
                         int exit_code = exit_done);

// Asks a question on the terminal. Returns the line that the user typed, or nullopt at the end of the input.
std::optional<std::string> ask_line(const Invocation& invocation, std::string_view question);

// Asks a question on the terminal. Returns true if the user answered yes.
bool ask_yes_no(const Invocation& invocation, std::string_view question);

// Prints the error on standard error: one sentence, and details below it. With --json, also prints it as
// JSON.
void print_error(const Invocation& invocation, const Error& error);

// Runs the chosen command and prints its error. Returns the exit code.
int run_invocation(const Invocation& invocation);

}  // namespace snapgen::tools
