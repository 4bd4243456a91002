#pragma once
// The parts of completion.cc: one script generator per shell, and shared functions.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cli/description.h"

namespace snapgen::cli {

std::string bash_completion(const Command& program, const std::vector<std::string>& other_names);
std::string zsh_completion(const Command& program, const std::vector<std::string>& other_names);
std::string fish_completion(const Command& program, const std::vector<std::string>& other_names);

// Visits `command` and all commands below it, each before its subcommands.
void for_each_command(const Command& command, const std::function<void(const Command&)>& visit);

// Returns the ways to type `command`, with its name and with each alias, such as "snap store" and "snap st".
std::vector<std::string> command_spellings(const Command& command);

// Whether the option always has a value, as the next word or after "=".
bool requires_value(const Parameter& parameter);

// Returns a form of `path` for function names, such as snap__store for "snap store".
std::string shell_identifier(std::string_view path);

// These put text in single quotes. POSIX shells have no escapes inside these, so a quote in the text closes
// the string and opens it again. fish has the escapes \' and \\.
std::string posix_quoted(std::string_view text);
std::string fish_quoted(std::string_view text);

// Returns the first sentence of a description, on one line, for a list of choices.
std::string short_description(std::string_view description);

}  // namespace snapgen::cli
