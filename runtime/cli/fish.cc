#include "runtime/cli/shells.h"

namespace snapgen::cli {
namespace {

// Returns a fish function that prints the command that the words before the cursor select.
std::string path_function(const std::string& name, const Command& program) {
  std::string enter, skip;
  for_each_command(program, [&](const Command& command) {
    if (&command != &program) {
      enter += "      case";
      for (const std::string& way : command_spellings(command)) enter += " " + fish_quoted(way);
      enter += "\n        set path " + fish_quoted(command.path) + "\n";
    }
    for (const Parameter& option : command.options)
      if (requires_value(option))
        for (const std::string& each : option.names) skip += " " + fish_quoted(command.path + " " + each);
  });
  std::string out = "function " + name + "\n  set -l words (commandline -opc)\n  set -l path " +
                    fish_quoted(program.path) +
                    "\n  set -l value no\n  for word in $words[2..-1]\n    if test $value = yes\n"
                    "      set value no\n      continue\n    end\n    switch \"$path $word\"\n" +
                    enter;
  if (!skip.empty()) out += "      case" + skip + "\n        set value yes\n";
  return out + "    end\n  end\n  echo $path\nend\n";
}

// Returns the arguments of fish's `complete` for a parameter's value; none for a flag.
std::string fish_value(const Parameter& parameter) {
  if (parameter.value_kind == ValueKind::nothing) return "";
  const std::string required = parameter.value_optional || parameter.names.empty() ? "" : " -r";
  if (!parameter.values.empty()) {
    std::string words;
    for (const std::string& value : parameter.values) words += (words.empty() ? "" : " ") + value;
    return required + " -f -a " + fish_quoted(words);
  }
  if (parameter.value_kind == ValueKind::folder) return required + " -f -a '(__fish_complete_directories)'";
  if (parameter.value_kind == ValueKind::file) return required + " -F";
  return required + " -f";
}

std::string line_of(const std::string& begin, const std::string& what, std::string_view description) {
  const std::string text = short_description(description);
  return begin + what + (text.empty() ? "" : " -d " + fish_quoted(text)) + "\n";
}

}  // namespace

std::string fish_completion(const Command& program, const std::vector<std::string>& other_names) {
  const std::string function = "__" + shell_identifier(program.name) + "_path";
  std::string out = "# fish completion of " + program.name + ", made from the options that it takes.\n" +
                    path_function(function, program) + "complete -c " + program.name + " -f\n";
  for_each_command(program, [&](const Command& command) {
    const std::string begin = "complete -c " + program.name + " -n " +
                              fish_quoted("test \"$(" + function + ")\" = " + fish_quoted(command.path));
    for (const Command& each : command.subcommands)
      out += line_of(begin, " -a " + fish_quoted(each.name), each.description);
    for (const Parameter& option : command.options) {
      std::string names;
      for (const std::string& name : option.names)
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      out += line_of(begin, names + fish_value(option), option.description);
    }
    for (const Parameter& positional : command.positionals) {
      const std::string value = fish_value(positional);
      if (value.find(" -a ") != std::string::npos || positional.value_kind == ValueKind::file)
        out += line_of(begin, value, positional.description);
    }
  });
  for (const std::string& name : other_names) out += "complete -c " + name + " -w " + program.name + "\n";
  return out;
}

}  // namespace snapgen::cli
