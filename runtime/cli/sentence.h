#pragma once
// What is said of a command line that is wrong.
#include <string>
#include <string_view>

#include <CLI/App.hpp>

namespace snapgen::cli {

// "snap snapshot list"
std::string full_name(const CLI::App& app);

// How words of the command line are shown, which may be anything.
using Printable = std::string (*)(std::string_view);

// "snap has no command snapshat; did you mean snapshot? (snap --help)"
std::string unknown_command_sentence(const CLI::App& at, std::string_view said, Printable printable);

// One sentence: what is wrong, the name or value that was probably meant, and whose help to ask for.
std::string sentence_of(const CLI::App& program, const CLI::ParseError& error, Printable printable);

}  // namespace snapgen::cli
