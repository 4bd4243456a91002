#include "runtime/cli/description.h"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace snapgen::cli {
namespace {

// Returns where the name in a CLI11 type such as "MODE:{a,b}" ends: at the first colon outside brackets,
// because "[HOST:]PORT" has one inside.
std::size_t end_of_name(std::string_view type) {
  int depth = 0;
  for (std::size_t at = 0; at < type.size(); ++at) {
    if (type[at] == '[') ++depth;
    if (type[at] == ']') --depth;
    if (type[at] == ':' && depth == 0) return at;
  }
  return type.size();
}

ValueKind value_kind_of(std::string_view type) {
  if (type.find("DIR") != std::string_view::npos) return ValueKind::folder;
  if (type.find("FILE") != std::string_view::npos || type.find("PATH") != std::string_view::npos)
    return ValueKind::file;
  return ValueKind::text;
}

Parameter parameter_of(const CLI::Option& option) {
  Parameter parameter;
  for (const std::string& name : option.get_snames()) parameter.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) parameter.names.push_back("--" + name);
  parameter.description = option.get_description();
  parameter.required = option.get_required();
  parameter.is_repeatable = option.get_expected_max() > 1;
  if (option.get_type_size_max() == 0 || option.get_expected_max() == 0) return parameter;
  parameter.value_optional = option.get_expected_min() == 0;
  parameter.default_text = option.get_default_str();
  const std::string type = option.get_type_name();
  parameter.values = allowed_values(type);
  parameter.placeholder = parameter.names.empty() ? option.get_name(true) : type.substr(0, end_of_name(type));
  // A positional's type tells whether it expects a file or folder. If it does not, its name may tell.
  parameter.value_kind = parameter.values.empty() ? value_kind_of(type) : ValueKind::text;
  if (parameter.names.empty() && parameter.value_kind == ValueKind::text)
    parameter.value_kind = value_kind_of(parameter.placeholder);
  return parameter;
}

// Adds the options of `app` and of its option groups.
void add_parameters(const CLI::App& app, Command& out) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    Parameter parameter = parameter_of(*option);
    (parameter.names.empty() ? out.positionals : out.options).push_back(std::move(parameter));
  }
  for (const CLI::App* group : app.get_subcommands([](const CLI::App*) { return true; }))
    if (group->get_name().empty()) add_parameters(*group, out);
}

void inherit_options(const Command& parent, Command& out) {
  for (const Parameter& parameter : parent.options) {
    const auto same = [&](const Parameter& own) {
      return std::ranges::any_of(
          own.names, [&](const std::string& name) { return std::ranges::count(parameter.names, name) > 0; });
    };
    if (std::ranges::none_of(out.options, same)) out.options.push_back(parameter);
  }
}

Command command_of(const CLI::App& app, const Command* parent) {
  Command out;
  out.name = app.get_name();
  out.path = parent ? parent->path + " " + out.name : out.name;
  out.aliases = app.get_aliases();
  out.description = app.get_description();
  out.footer = app.get_footer();
  out.requires_subcommand = app.get_require_subcommand_min() > 0;
  add_parameters(app, out);
  if (parent && app.get_fallthrough()) inherit_options(*parent, out);
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!each->get_name().empty() && !each->get_group().empty())
      out.subcommands.push_back(command_of(*each, &out));
  return out;
}

}  // namespace

Command describe(const CLI::App& program) { return command_of(program, nullptr); }

// CLI11 writes a type as "NAME:{a,b}" or "NAME:INT in [0 - 9]": the name, and the description of each check.
std::vector<std::string> allowed_values(std::string_view type) {
  std::vector<std::string> values;
  const std::size_t begin = type.find(":{");
  if (begin == std::string_view::npos || type.back() != '}') return values;
  std::string_view list = type.substr(begin + 2, type.size() - begin - 3);
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    // CLI11 lists the values of a map as "name->value"; users type the names.
    const std::string_view entry = list.substr(0, end);
    values.emplace_back(entry.substr(0, entry.find("->")));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return values;
}

std::string value_placeholder(const Parameter& parameter) {
  std::string text;
  for (const std::string& value : parameter.values) text += (text.empty() ? "" : "|") + value;
  return text.empty() ? parameter.placeholder : text;
}

}  // namespace snapgen::cli
