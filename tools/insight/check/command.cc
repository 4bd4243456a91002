#include "tools/insight/check/command.h"

#include <algorithm>
#include <cstddef>

namespace snapgen::core {
namespace {

struct Launcher {
  std::string_view name;
  std::string_view subcommand;  // Empty if the program follows the name.
};
constexpr Launcher launchers[] = {
    {.name = "env", .subcommand = ""},        {.name = "npx", .subcommand = ""},
    {.name = "bunx", .subcommand = ""},       {.name = "npm", .subcommand = "exec"},
    {.name = "pnpm", .subcommand = "exec"},   {.name = "yarn", .subcommand = "exec"},
    {.name = "uv", .subcommand = "run"},      {.name = "poetry", .subcommand = "run"},
    {.name = "pipenv", .subcommand = "run"},  {.name = "pdm", .subcommand = "run"},
    {.name = "hatch", .subcommand = "run"},   {.name = "rye", .subcommand = "run"},
    {.name = "bundle", .subcommand = "exec"},
};

std::string_view name_of_file(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Returns the index of the program that a launcher at `from` starts. Returns `from` if it is none, or if an
// option follows: only the launcher knows if that has a value.
std::size_t launched_program(const std::vector<std::string>& argv, std::size_t from) {
  for (const Launcher& each : launchers) {
    std::size_t next = from + 1;
    if (name_of_file(argv[from]) != each.name) continue;
    if (!each.subcommand.empty() && (next >= argv.size() || argv[next++] != each.subcommand)) continue;
    // The variables of env.
    while (next < argv.size() && each.name == "env" && argv[next].find('=') != std::string::npos) ++next;
    if (next < argv.size() && argv[next] == "--") ++next;
    if (next < argv.size() && !argv[next].starts_with('-')) return next;
  }
  return from;
}

}  // namespace

std::string program_name(const std::vector<std::string>& argv) {
  std::size_t at = 0;
  for (std::size_t next = launched_program(argv, at); next != at; next = launched_program(argv, at))
    at = next;
  std::string name(name_of_file(argv[at]));
  const bool runs_module = name.starts_with("python") && at + 2 < argv.size() && argv[at + 1] == "-m";
  if (runs_module) name += " -m " + argv[at + 2];
  return name;
}

bool writes_report(const CheckCommand& command) {
  const auto names_it = [](const std::string& word) {
    return word.find(report_placeholder) != std::string::npos;
  };
  return !command.report_path.empty() || std::any_of(command.argv.begin(), command.argv.end(), names_it);
}

}  // namespace snapgen::core
