#pragma once
// The command line of the executable, which is installed under several names.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tools/cli/command.h"

namespace snapgen::tools {

enum class CommandSet : std::uint8_t {
  server,         // The options of snapgen-server.
  snap_commands,  // The commands of snap.
};

// Returns which set the command line has. A program named snap or snapback has the commands. Under any other
// name (such as snapgen-server-linux-x64) the first argument decides: a word is a command, an option belongs
// to the server.
CommandSet command_set_of(std::string_view program, std::string_view first_argument);

// Returns the commands or options of a set, for a program with this name. Completions and manual pages are
// also made from them. `invocation` must outlive them.
std::unique_ptr<CLI::App> all_commands(const std::string& program, CommandSet set, Invocation& invocation);

// Parses and runs the command line. Errors and questions go to standard error. Returns the exit code; 2 for a
// wrong command line.
int run_command_line(int count, char** values);

}  // namespace snapgen::tools
