#pragma once
// Error messages for invalid command lines, of one sentence each.
#include <string>
#include <string_view>

#include <CLI/App.hpp>

namespace snapgen::cli {

// Returns a command's name after those of its parents, such as "snap snapshot list".
std::string full_command_name(const CLI::App& app);

// A function that escapes control characters, for words of the command line in error messages.
using EscapeText = std::string (*)(std::string_view);

// Returns a sentence such as "snap has no command snapshat; did you mean snapshot? (snap --help)".
std::string unknown_command_sentence(const CLI::App& at, std::string_view name, EscapeText escape);

// Returns whether the command line has a word where only a command can be, and there is no such command.
bool has_unknown_command(const CLI::App& program);

// Returns one sentence with the error, the name or value that was probably meant, and how to print help.
std::string usage_error_sentence(const CLI::App& program, const CLI::ParseError& error, EscapeText escape);

}  // namespace snapgen::cli
