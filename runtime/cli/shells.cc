#include "runtime/cli/shells.h"

#include <cctype>

namespace snapgen::cli {
namespace {

constexpr std::size_t short_max = 100;  // In bytes. Longer sentences are cut between words.

}  // namespace

void for_each_command(const Command& command, const std::function<void(const Command&)>& visit) {
  visit(command);
  for (const Command& each : command.subcommands) for_each_command(each, visit);
}

std::vector<std::string> command_spellings(const Command& command) {
  std::vector<std::string> ways = {command.path};
  const std::string parent = command.path.substr(0, command.path.size() - command.name.size());
  for (const std::string& alias : command.aliases) ways.push_back(parent + alias);
  return ways;
}

bool requires_value(const Parameter& parameter) {
  return parameter.value_kind != ValueKind::nothing && !parameter.value_optional;
}

std::string shell_identifier(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (c == ' ')
      out += "__";
    else
      out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  return out;
}

std::string posix_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string short_description(std::string_view description) {
  std::string out;
  for (const char c : description) {
    const bool space = c == ' ' || c == '\n' || c == '\t';
    const bool sentence = space && (out.ends_with('.') || out.ends_with(';'));
    if (sentence) break;
    if (!space)
      out += c;
    else if (!out.empty() && !out.ends_with(' '))
      out += ' ';
  }
  if (out.size() > short_max) out = out.substr(0, out.rfind(' ', short_max)) + " ...";
  while (out.ends_with('.') && !out.ends_with("...")) out.pop_back();
  while (out.ends_with(' ') || out.ends_with(';')) out.pop_back();
  return out;
}

}  // namespace snapgen::cli
