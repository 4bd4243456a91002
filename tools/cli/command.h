#pragma once
// What all commands share: how one is declared, what all of them take, and what one leaves behind to be run.
//
//   void add_store(CLI::App& program, Chosen& chosen) {
//     CLI::App& store = add_group(program, "store", "Look after the snapshots that are kept.");
//     auto options = std::make_shared<GcOptions>();
//     CLI::App& gc = add_command(store, chosen, {.name = "gc", .what = "...", .examples = {...}},
//                                [options](const Chosen& chosen) { return run_gc(chosen, *options); });
//     gc.add_flag("--dry-run", options->dry_run, "Say what would go, and change nothing.");
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

// What was chosen on the command line.
struct Chosen {
  std::optional<std::string> workspace;  // --workspace
  bool json = false;                     // --json
  Terminal out = Terminal::of(1);
  Terminal errors = Terminal::of(2);

  // Runs it: the exit code, or an error that is still to be said. Errors: invalid_argument is a wrong command
  // line. Where `details` has something it is what --json prints.
  std::function<Result<int>(const Chosen&)> run;
};

struct Example {
  std::string line;  // As it is typed.
  std::string what;  // What it does; no full stop.
};

struct CommandText {
  std::string name;
  std::string what;  // A sentence or more; the first one is what lists of commands show.
  std::vector<Example> examples = {};
  std::string exit_codes = "0 done; 1 it failed; 2 the command line is wrong.";
  bool takes_workspace = true;
  bool takes_json = true;
};

// Exit codes that commands have in common.
inline constexpr int done = 0;
inline constexpr int failed_or_found = 1;  // Or it found what it looked for.
inline constexpr int wrong_usage = 2;
inline constexpr int interrupted = 130;  // By Ctrl-C, as shells say it.

// A command that has commands. One of them is asked for.
CLI::App& add_group(CLI::App& parent, std::string name, std::string what);

// A command that does something. `parent` outlives it, `chosen` the parsing.
CLI::App& add_command(CLI::App& parent, Chosen& chosen, const CommandText& text,
                      std::function<Result<int>(const Chosen&)> run);

// --workspace, which add_command() gives a command by itself.
void add_workspace(CLI::App& command, Chosen& chosen);

// Prints what a command answers: `json` as one line, or `text`. The exit code as it was given. Errors: as
// Terminal::print().
Result<int> answer(const Chosen& chosen, std::string_view json, std::string_view text, int exit_code = done);

// Asks on the terminal. True: the user answered yes.
bool agreed(const Chosen& chosen, std::string_view question);

// Says what is wrong: one sentence on the standard error, below it what is known besides; with --json the
// error as JSON, too.
void say(const Chosen& chosen, const Error& error);

// Runs what was chosen and says what is wrong with it. The exit code.
int run(const Chosen& chosen);

}  // namespace snapgen::tools
