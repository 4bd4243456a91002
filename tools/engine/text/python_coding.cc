#include "tools/engine/text/python_coding.h"

#include <algorithm>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

constexpr std::string_view space = " \t\f";

// Returns the name that a comment line declares; empty if it declares none.
std::string_view declared_name(std::string_view comment) {
  constexpr std::string_view word = "coding";
  for (std::size_t at = comment.find(word); at != std::string_view::npos; at = comment.find(word, at + 1)) {
    std::string_view rest = comment.substr(at + word.size());
    if (!rest.starts_with(':') && !rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    const auto is_part_of_name = [](char c) { return is_ascii_word_character(c) || c == '-' || c == '.'; };
    const auto end = std::ranges::find_if_not(rest, is_part_of_name);
    if (end != rest.begin()) return rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  }
  return {};
}

}  // namespace

std::optional<TextEncoding> python_coding(std::string_view path, std::string_view bytes) {
  if (!path.ends_with(".py") && !path.ends_with(".pyi")) return std::nullopt;
  std::string_view rest = bytes, line;
  for (int number = 1; number <= 2 && next_line(rest, line); ++number) {
    const std::string_view code = line.substr(std::min(line.find_first_not_of(space), line.size()));
    if (code.starts_with('#')) {
      const std::string_view name = declared_name(code);
      if (!name.empty()) return encoding_of_label(name);
    } else if (!code.empty() && code != "\r") {
      return std::nullopt;  // A declaration below code has no effect.
    }
  }
  return std::nullopt;
}

}  // namespace snapgen::core
