#pragma once
// The parts of completion.cc: one script generator per shell, and shared functions.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cli/description.h"

namespace snapgen::cli {

std::string bash_completion(const Command& program, const std::vector<std::string>& also);
std::string zsh_completion(const Command& program, const std::vector<std::string>& also);
std::string fish_completion(const Command& program, const std::vector<std::string>& also);

// Visits parents before their commands.
void for_each_command(const Command& command, const std::function<void(const Command&)>& visit);

// The parent's path with the name and each alias of `command`: "snap store", "snap st".
std::vector<std::string> ways_to(const Command& command);

// Whether a value always follows, as the next word or after =.
bool takes_value(const Parameter& parameter);

// Makes "snap store" usable in a function name: "snap__store".
std::string identifier(std::string_view path);

// Quotes text in single quotes. POSIX shells have no escape inside them, so a quote closes and reopens the
// string; fish has \' and \\.
std::string posix_quoted(std::string_view text);
std::string fish_quoted(std::string_view text);

// The first sentence of a description, on one line, for a list of choices.
std::string in_short(std::string_view description);

}  // namespace snapgen::cli
