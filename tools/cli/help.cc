#include "tools/cli/help.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/cli/description.h"
#include "runtime/cli/sentence.h"
#include "tools/cli/command.h"
#include "tools/cli/terminal.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t names_max = 30;  // A name with more columns is on a separate line.

using Entries = std::vector<std::pair<std::string, std::string>>;  // Names with their descriptions.

std::string section(const std::string& title, const Entries& entries, std::size_t width) {
  if (entries.empty()) return "";
  std::size_t column = 0;
  for (const auto& [name, what] : entries)
    if (name.size() <= names_max) column = std::max(column, name.size());
  column += 4;
  std::string out = "\n" + title + ":\n";
  for (const auto& [name, what] : entries) {
    out += "  " + name;
    if (!what.empty()) {
      if (name.size() + 4 > column)
        out += "\n" + std::string(column, ' ');
      else
        out += std::string(column - 2 - name.size(), ' ');
      out += wrapped_text(what, width, column);
    }
    out += "\n";
  }
  return out;
}

// Returns an option as help shows it: "--dry-run", "--workspace DIR", "-h, --help".
std::string spelled(const CLI::Option& option) {
  std::string out;
  for (const std::string& name : option.get_snames()) out += (out.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) out += (out.empty() ? "--" : ", --") + name;
  if (out.empty()) out = option.get_name(true);
  // The part of the type after a colon is a validator, which the description covers, so it is omitted.
  const std::string type = option.get_type_name();
  if (option.get_items_expected_max() > 0 && option.nonpositional() && !type.empty())
    out += " " + (type.starts_with('[') ? type : type.substr(0, type.find(':')));
  return out;
}

std::string described(const CLI::Option& option) {
  std::string what = option.get_description();
  std::string values;
  bool are_described = true;
  for (const std::string& value : cli::allowed_values(option.get_type_name())) {
    values += (values.empty() ? "" : ", ") + value;
    are_described = are_described && what.find(value) != std::string::npos;
  }
  if (!are_described) what += " One of " + values + ".";
  if (!option.get_default_str().empty()) what += " Default: " + option.get_default_str() + ".";
  return what;
}

bool is_shown(const CLI::Option* option) { return !option->get_group().empty(); }

std::string usage(const CLI::App& app) {
  std::string out = "Usage: " + cli::full_command_name(app);
  bool options = false;
  std::string positionals;
  for (const CLI::Option* option : app.get_options()) {
    if (!is_shown(option)) continue;
    if (option->nonpositional()) {
      options = true;
      continue;
    }
    const bool many = option->get_items_expected_max() > 1;
    const std::string name = option->get_name(true) + (many ? "..." : "");
    positionals += option->get_required() ? " " + name : " [" + name + "]";
  }
  const bool commands = !app.get_subcommands({}).empty();
  if (commands) out += app.get_require_subcommand_min() > 0 ? " COMMAND" : " [COMMAND]";
  if (options) out += " [OPTIONS]";
  return out + positionals + "\n";
}

}  // namespace

std::string footer_of(const CommandText& text) {
  std::string out;
  if (!text.examples.empty()) {
    std::size_t column = 0;
    for (const Example& each : text.examples) column = std::max(column, each.line.size());
    out += "Examples:\n";
    for (const Example& each : text.examples) {
      out += "  " + each.line;
      if (!each.description.empty())
        out += std::string(column + 2 - each.line.size(), ' ') + "# " + each.description;
      out += "\n";
    }
    out += "\n";
  }
  return out + "Exit codes: " + text.exit_codes;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
  std::string out = usage(*app) + "\n" + wrapped_text(app->get_description(), width_, 0) + "\n";
  Entries commands;
  for (const CLI::App* each : app->get_subcommands({}))
    if (!each->get_group().empty())
      commands.emplace_back(each->get_name(), first_sentence(each->get_description()));
  Entries positionals;
  Entries options;
  for (const CLI::Option* option : app->get_options()) {
    if (!is_shown(option)) continue;
    (option->nonpositional() ? options : positionals).emplace_back(spelled(*option), described(*option));
  }
  out += section("Commands", commands, width_);
  out += section("Arguments", positionals, width_);
  out += section("Options", options, width_);
  const std::string footer = app->get_footer();
  if (!footer.empty()) out += "\n" + footer + "\n";
  return out;
}

std::string first_sentence(const std::string& description) {
  const std::size_t end = description.find(". ");
  std::string first = description.substr(0, end);
  if (first.ends_with('.')) first.pop_back();
  return first;
}

}  // namespace snapgen::tools
