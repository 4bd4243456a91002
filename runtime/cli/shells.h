#pragma once
// What completion.cc is made of: one script for each shell, and what they share.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cli/description.h"

namespace snapgen::cli {

std::string bash_completion(const Command& program, const std::vector<std::string>& also);
std::string zsh_completion(const Command& program, const std::vector<std::string>& also);
std::string fish_completion(const Command& program, const std::vector<std::string>& also);

// Parents before their commands.
void for_each_command(const Command& command, const std::function<void(const Command&)>& visit);

// The name and the aliases of `command`, behind its parent's path: "snap store", "snap st".
std::vector<std::string> ways_to(const Command& command);

// Whether a value always follows as a word of its own, or behind =.
bool takes_value(const Parameter& parameter);

// "snap store" as "snap__store", to be part of a function's name.
std::string identifier(std::string_view path);

// In single quotes. POSIX shells have no escape between them, so that a quote ends and begins them; fish has
// \' and \\.
std::string posix_quoted(std::string_view text);
std::string fish_quoted(std::string_view text);

// A description for a list of choices: its first sentence, on one line.
std::string in_short(std::string_view description);

}  // namespace snapgen::cli
