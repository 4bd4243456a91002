#pragma once
// The command line of a CLI11 program as plain data. Completion scripts and manual pages are generated from
// it, so they match the parser. Options in CLI11's group "" (hidden from --help) are omitted.
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace snapgen::cli {

// The kind of value that an option or a positional takes.
enum class ValueKind : unsigned char { nothing, text, file, folder };

// An option or a positional argument.
struct Parameter {
  std::vector<std::string> names;  // Such as "-h", "--help"; empty for a positional.
  std::string placeholder;         // Such as "DIR", or a positional's name. Empty: a flag.
  std::string description;
  std::string default_text;         // If empty, help shows no default.
  std::vector<std::string> values;  // The allowed values; empty if any is allowed.
  ValueKind value_kind = ValueKind::nothing;
  bool required = false;
  bool is_repeatable = false;
  bool value_optional = false;  // The option is also valid without a value.

  bool operator==(const Parameter&) const = default;
};

struct Command {
  std::string name;
  std::string path;  // Such as "snap store gc".
  std::vector<std::string> aliases;
  std::string description;
  std::string footer;
  std::vector<Parameter> options;
  std::vector<Parameter> positionals;
  std::vector<Command> subcommands;
  bool requires_subcommand = false;
};

// Describes a program's command line. A command with CLI11's fallthrough() also lists its parent's options.
Command describe(const CLI::App& program);

// Returns the allowed values of an option, parsed from its type name in CLI11; empty if any value is allowed.
std::vector<std::string> allowed_values(std::string_view type);

// Returns the text for the option's value in --help, such as "DIR" or "error|warning"; empty for a flag.
std::string value_placeholder(const Parameter& parameter);

}  // namespace snapgen::cli
