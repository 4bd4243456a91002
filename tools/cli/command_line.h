#pragma once
// The command line of the one executable that is installed under several names.
#include <memory>
#include <string>
#include <string_view>

#include "tools/cli/command.h"

namespace snapgen::tools {

// All commands that a program of this name has: those of snapgen-server are options, any other name has the
// tree of `snap`. Completions and manual pages are made of it, too. `chosen` outlives it.
std::unique_ptr<CLI::App> all_commands(const std::string& program, Chosen& chosen);

// Reads the command line and runs what it says. Errors and what is asked of a person go to the standard
// error. The exit code: 2 if it is wrong.
int run_command_line(int count, char** values);

}  // namespace snapgen::tools
