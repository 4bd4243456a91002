#pragma once
// Error sentences for invalid command lines.
#include <string>
#include <string_view>

#include <CLI/App.hpp>

namespace snapgen::cli {

// "snap snapshot list"
std::string full_name(const CLI::App& app);

// Escapes the control characters in words of the command line.
using EscapeText = std::string (*)(std::string_view);

// "snap has no command snapshat; did you mean snapshot? (snap --help)"
std::string unknown_command_sentence(const CLI::App& at, std::string_view said, EscapeText escape);

// One sentence: the error, the name or value that was probably meant, and the command that prints help.
std::string sentence_of(const CLI::App& program, const CLI::ParseError& error, EscapeText escape);

}  // namespace snapgen::cli
