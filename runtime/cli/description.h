#pragma once
// What a CLI11 program takes, as plain data: completion scripts and manual pages are made from it, so that
// they say what the parser does. Whatever is in CLI11's group "" (hidden from --help) is left out.
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace snapgen::cli {

// What stands on the command line for an option's value or a positional.
enum class Expects : unsigned char { nothing, text, file, folder };

// An option, or a positional.
struct Parameter {
  std::vector<std::string> names;  // "-h", "--help", in the order of --help; none: a positional.
  std::string placeholder;         // "DIR", or a positional's name. Empty: a flag.
  std::string description;
  std::string default_text;         // Empty: none is shown.
  std::vector<std::string> values;  // All that fit, if they are few. Empty: any.
  Expects expects = Expects::nothing;
  bool required = false;
  bool repeated = false;
  bool value_optional = false;  // --name alone is right, too.

  bool operator==(const Parameter&) const = default;
};

struct Command {
  std::string name;
  std::string path;  // "snap store gc"
  std::vector<std::string> aliases;
  std::string description;
  std::string footer;
  std::vector<Parameter> options;
  std::vector<Parameter> positionals;
  std::vector<Command> commands;
  bool needs_command = false;
};

// A command that falls through (CLI11's fallthrough()) has its parent's options among its own.
Command describe(const CLI::App& program);

// All that fit, from the name that CLI11 gives a type with a check; empty: any.
std::vector<std::string> values_of(std::string_view type);

// What --help shows for a value: "DIR", or "error|warning"; empty for a flag.
std::string shown_value(const Parameter& parameter);

}  // namespace snapgen::cli
