#include "runtime/cli/shells.h"

namespace snapgen::cli {
namespace {

// Parts of the completion function. They follow the words before the cursor through commands, options and
// their values, and count positionals.
constexpr const char* walk = R"(  local current=${COMP_WORDS[COMP_CWORD]} option='' word at place=0 ended=''
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=${COMP_WORDS[at]}
    if [[ $option ]]; then  # --name=value is three words to bash.
      [[ $word == = ]] || option=''
    elif [[ $ended || $word != -* ]]; then
      case "$path $word" in
)";
constexpr const char* walk_options = R"(        *) ((place += 1)) ;;
      esac
    elif [[ $word == -- ]]; then
      ended=yes
    else
      case "$path $word" in
)";
constexpr const char* walk_end = R"(        *) ;;
      esac
    fi
  done
  COMPREPLY=()
  if [[ $option ]]; then
    [[ $current != = ]] || current=''
    case "$path $option" in
)";
constexpr const char* options_begin = R"(      *) ;;
    esac
  elif [[ ! $ended && $current == -* ]]; then
    case $path in
)";
constexpr const char* choices_begin = R"(    esac
  else
    case "$path/$place" in
)";
constexpr const char* end = R"(      *) ;;
    esac
  fi
}
)";

std::string any_of(const std::vector<std::string>& patterns) {
  std::string out;
  for (const std::string& each : patterns) out += (out.empty() ? "" : " | ") + posix_quoted(each);
  return out;
}

std::string reply_with(const std::string& what) {
  return "mapfile -t COMPREPLY < <(compgen " + what + " -- \"$current\")";
}

std::string reply_with_words(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : " ") + word;
  return reply_with("-W " + posix_quoted(list));
}

// Returns the bash statement that completes a value of `parameter`; empty if it can have any value.
std::string reply_for(const Parameter& parameter) {
  if (!parameter.values.empty()) return reply_with_words(parameter.values);
  // compopt prints an error when it runs outside of a completion, as in a test.
  const std::string names = "compopt -o filenames 2>/dev/null; ";
  if (parameter.value_kind == ValueKind::folder) return names + reply_with("-d");
  if (parameter.value_kind == ValueKind::file) return names + reply_with("-f");
  return "";
}

void add_case(std::string& out, const std::string& pattern, const std::string& reply) {
  if (!reply.empty()) out += "      " + pattern + ") " + reply + " ;;\n";
}

// The branches of each `case` statement in the completion function.
struct Branches {
  std::string enter, skip, values, options, choices;
};

void add_branches(const Command& command, Branches& out) {
  std::vector<std::string> options, valued, commands;
  for (const Parameter& option : command.options) {
    options.insert(options.end(), option.names.begin(), option.names.end());
    if (!requires_value(option)) continue;
    std::vector<std::string> here;
    for (const std::string& name : option.names) here.push_back(command.path + " " + name);
    valued.insert(valued.end(), here.begin(), here.end());
    add_case(out.values, any_of(here), reply_for(option));
  }
  if (!valued.empty()) out.skip += "        " + any_of(valued) + ") option=$word ;;\n";
  for (const Command& each : command.subcommands) commands.push_back(each.name);
  if (!options.empty()) add_case(out.options, posix_quoted(command.path), reply_with_words(options));
  if (!commands.empty()) add_case(out.choices, posix_quoted(command.path + "/0"), reply_with_words(commands));
  for (std::size_t i = 0; i < command.positionals.size(); ++i) {
    const Parameter& positional = command.positionals[i];
    const std::string pattern = positional.is_repeatable
                                    ? posix_quoted(command.path + "/") + "*"
                                    : posix_quoted(command.path + "/" + std::to_string(i));
    add_case(out.choices, pattern, reply_for(positional));
  }
}

}  // namespace

std::string bash_completion(const Command& program, const std::vector<std::string>& other_names) {
  Branches all;
  for_each_command(program, [&](const Command& command) {
    if (&command != &program)
      all.enter += "        " + any_of(command_spellings(command)) + ") path=" + posix_quoted(command.path) +
                   " place=0 ;;\n";
    add_branches(command, all);
  });
  const std::string function = "_" + shell_identifier(program.name);
  std::string out = "# bash completion of " + program.name + ", made from the options that it takes.\n" +
                    function + "() {\n  local path=" + posix_quoted(program.path) + "\n" + walk + all.enter +
                    walk_options + all.skip + walk_end + all.values + options_begin + all.options +
                    choices_begin + all.choices + end + "complete -F " + function + " " + program.name;
  for (const std::string& name : other_names) out += " " + name;
  return out + "\n";
}

}  // namespace snapgen::cli
