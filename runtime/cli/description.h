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
enum class Expects : unsigned char { nothing, text, file, folder };

// An option, or a positional.
struct Parameter {
  std::vector<std::string> names;  // "-h", "--help", in the order of --help; empty: a positional.
  std::string placeholder;         // "DIR", or a positional's name. Empty: a flag.
  std::string description;
  std::string default_text;         // Empty: no default is shown.
  std::vector<std::string> values;  // The allowed values, if they are few. Empty: any.
  Expects expects = Expects::nothing;
  bool required = false;
  bool repeated = false;
  bool value_optional = false;  // --name without a value is also valid.

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

// A command with CLI11's fallthrough() also lists its parent's options.
Command describe(const CLI::App& program);

// The allowed values, from the type name that CLI11 gives a check; empty: any.
std::vector<std::string> values_of(std::string_view type);

// The value's text in --help: "DIR", or "error|warning"; empty for a flag.
std::string value_placeholder(const Parameter& parameter);

}  // namespace snapgen::cli
