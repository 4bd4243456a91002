#pragma once
// The command line of the one executable that is installed under several names.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tools/cli/command.h"

namespace snapgen::tools {

enum class CommandSet : std::uint8_t {
  server,  // The options of snapgen-server.
  tree,    // The commands of snap.
};

// The set that a command line uses. A program called snap or snapback has the commands. Under any other name
// (a download is called snapgen-server-linux-x64) the first argument decides: a word is a command, an option
// is one of the server's.
CommandSet command_set_of(std::string_view program, std::string_view first_argument);

// The commands or options of a set, for a program of this name. Completions and manual pages are made of
// them, too. `chosen` outlives them.
std::unique_ptr<CLI::App> all_commands(const std::string& program, CommandSet set, Chosen& chosen);

// Reads the command line and runs what it says. Errors and what is asked of a person go to the standard
// error. The exit code: 2 if it is wrong.
int run_command_line(int count, char** values);

}  // namespace snapgen::tools
