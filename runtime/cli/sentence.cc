#include "runtime/cli/sentence.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/base/text.h"
#include "runtime/cli/description.h"

namespace snapgen::cli {
namespace {

// Returns the subcommand that was being parsed when parsing failed.
const CLI::App& deepest_command(const CLI::App& program) {
  const CLI::App* at = &program;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().back();
  return *at;
}

// A word of the command line that no option or command accepts, and the command where it was read.
struct ExtraArgument {
  const CLI::App* at;
  std::string word;
};
std::optional<ExtraArgument> extra_argument(const CLI::App& program) {
  for (const CLI::App* at = &program;;) {
    const std::vector<std::string> rest = at->remaining();
    if (!rest.empty()) return ExtraArgument{.at = at, .word = rest.front()};
    if (at->get_subcommands().empty()) return std::nullopt;
    at = at->get_subcommands().back();
  }
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands({})) names.push_back(each->get_name());
  return names;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& names) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::optional<std::string_view> meant = nearest_name(name, known);
  return meant ? "; did you mean " + std::string(*meant) + "?" : ".";
}

// Returns the command that prints help, in parentheses, such as " (snap store --help)".
std::string help_of(const CLI::App& at) { return " (" + full_command_name(at) + " --help)"; }

// An option's value that is not one of its allowed values.
struct WrongValue {
  std::string name;  // Such as "MODE" or "--host".
  std::vector<std::string> values;
  std::string value;
};
std::optional<WrongValue> wrong_value(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    std::vector<std::string> values = allowed_values(option->get_type_name());
    if (values.empty()) continue;
    for (const std::string& value : option->results())
      if (std::ranges::find(values, value) == values.end())
        return WrongValue{.name = option->get_name(), .values = std::move(values), .value = value};
  }
  return std::nullopt;
}

bool is_about_a_value(const CLI::ParseError& error) {
  return error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ValidationError);
}

}  // namespace

std::string full_command_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent ? full_command_name(*parent) + " " + app.get_name() : app.get_name();
}

std::string unknown_command_sentence(const CLI::App& at, std::string_view name, EscapeText escape) {
  return full_command_name(at) + " has no command " + escape(name) + did_you_mean(name, command_names(at)) +
         help_of(at);
}

bool has_unknown_command(const CLI::App& program) {
  const std::optional<ExtraArgument> extra = extra_argument(program);
  return extra && !extra->word.starts_with('-') && !extra->at->get_subcommands({}).empty();
}

std::string usage_error_sentence(const CLI::App& program, const CLI::ParseError& error, EscapeText escape) {
  const std::optional<ExtraArgument> extra = extra_argument(program);
  const CLI::App& last = deepest_command(program);
  const CLI::App& at = extra ? *extra->at : last;
  const std::string help = help_of(at);
  const bool has_commands = !at.get_subcommands({}).empty();
  if (extra && extra->word.starts_with('-')) {
    const std::string name = extra->word.substr(0, extra->word.find('='));
    const std::vector<std::string> later = option_names(last);
    const bool too_early = &at != &last && std::ranges::find(later, name) != later.end();
    return full_command_name(at) + " has no option " + escape(name) +
           (too_early ? "; write it after " + full_command_name(last) + "."
                      : did_you_mean(name, option_names(at))) +
           help;
  }
  if (extra && has_commands) return unknown_command_sentence(at, extra->word, escape);
  if (extra) return full_command_name(at) + " takes no argument " + escape(extra->word) + "." + help;
  if (has_commands && at.get_require_subcommand_min() > 0) {
    std::string known;
    for (const std::string& each : command_names(at)) known += (known.empty() ? "" : ", ") + each;
    return full_command_name(at) + " is not complete: say which of " + known + "." + help;
  }
  if (const std::optional<WrongValue> wrong = wrong_value(at); wrong && is_about_a_value(error)) {
    std::string known;
    for (const std::string& each : wrong->values) known += (known.empty() ? "" : ", ") + each;
    return full_command_name(at) + ": " + wrong->name + " is one of " + known + ", not " +
           escape(wrong->value) + did_you_mean(wrong->value, wrong->values) + help;
  }
  std::string what = error.what();
  if (!what.ends_with('.')) what += ".";
  return full_command_name(at) + ": " + escape(what) + help;
}

}  // namespace snapgen::cli
