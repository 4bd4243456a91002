#include "runtime/cli/shells.h"

namespace snapgen::cli {
namespace {

// Escapes the backslash and the characters in `special`, which would end a part of an argument of zsh's
// _arguments or _describe.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// Returns the part ":message:action" of an _arguments specification, for an option's value or a positional.
std::string zsh_value(const Parameter& parameter) {
  std::string out = ":" + escaped(parameter.placeholder, ":[]") + ":";
  if (!parameter.values.empty()) {
    out += "(";
    for (const std::string& value : parameter.values)
      out += (out.back() == '(' ? "" : " ") + escaped(value, " ():");
    return out + ")";
  }
  if (parameter.value_kind == ValueKind::folder) return out + "_files -/";
  if (parameter.value_kind == ValueKind::file) return out + "_files";
  return out + " ";
}

// Returns a line for each name of an option. A name excludes the others, unless the option may be repeated.
std::string option_lines(const Parameter& option) {
  const bool flag = option.value_kind == ValueKind::nothing;
  std::string others, out;
  for (const std::string& name : option.names) others += (others.empty() ? "" : " ") + name;
  for (const std::string& name : option.names) {
    std::string line = option.is_repeatable ? "*" : "(" + others + ")";
    line += name;
    if (!flag) line += name.starts_with("--") ? "=" : "+";
    line += "[" + escaped(short_description(option.description), "[]:") + "]";
    if (!flag) line += (option.value_optional ? ":" : "") + zsh_value(option);
    out += "    " + posix_quoted(line) + " \\\n";
  }
  return out;
}

std::string function_of(const Command& command) { return "_" + shell_identifier(command.path); }

// Returns the zsh function that completes one command: its options, and its subcommands or positionals.
std::string command_function(const Command& command) {
  std::string out = function_of(command) + "() {\n";
  if (!command.subcommands.empty())
    out += "  local context state state_descr line\n  typeset -A opt_args\n  local -a commands\n";
  out += "  _arguments -s -S" + std::string(command.subcommands.empty() ? "" : " -C") + " : \\\n";
  for (const Parameter& option : command.options) out += option_lines(option);
  if (command.subcommands.empty()) {
    for (const Parameter& positional : command.positionals) {
      const std::string begin = positional.is_repeatable ? "*" : positional.required ? "" : ":";
      out += "    " + posix_quoted(begin + zsh_value(positional)) + " \\\n";
    }
    return out.substr(0, out.size() - 3) + "\n}\n";
  }
  out +=
      "    '(-): :->command' \\\n    '(-)*:: :->arguments' && return\n  case $state in\n    (command)\n"
      "      commands=(\n";
  for (const Command& each : command.subcommands)
    out +=
        "        " + posix_quoted(escaped(each.name, ":") + ":" + short_description(each.description)) + "\n";
  out +=
      "      )\n      _describe -t commands 'command' commands\n      ;;\n    (arguments)\n      case "
      "$words[1] in\n";
  for (const Command& each : command.subcommands) {
    std::string names = each.name;
    for (const std::string& alias : each.aliases) names += "|" + alias;
    out += "        (" + names + ") " + function_of(each) + " ;;\n";
  }
  return out + "      esac\n      ;;\n  esac\n}\n";
}

}  // namespace

std::string zsh_completion(const Command& program, const std::vector<std::string>& other_names) {
  std::string names = program.name;
  for (const std::string& name : other_names) names += " " + name;
  std::string out = "#compdef " + names + "\n# zsh completion of " + program.name +
                    ", made from the options that it takes.\n";
  for_each_command(program, [&](const Command& command) { out += command_function(command); });
  // If zsh autoloads the script from fpath, the script is the body of the function "_program" and runs at
  // once. If the user evaluates it, it registers the function instead.
  const std::string function = function_of(program);
  return out + "if [[ $funcstack[1] == _" + program.name + " ]]; then\n  " + function +
         " \"$@\"\nelse\n  compdef " + function + " " + names + "\nfi\n";
}

}  // namespace snapgen::cli
