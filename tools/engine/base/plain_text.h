#pragma once
// Splits plain text from files and programs into lines and words.
#include <algorithm>
#include <string>
#include <string_view>

#include "runtime/base/ascii.h"

namespace snapgen::core {

// Takes the text before the next `separator` off `rest`, and the separator. Returns false at the end.
inline bool next_part(std::string_view& rest, std::string_view& part, char separator) {
  if (rest.empty()) return false;
  const std::size_t end = std::min(rest.find(separator), rest.size());
  part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return true;
}
inline bool next_line(std::string_view& rest, std::string_view& line) { return next_part(rest, line, '\n'); }

// Removes `prefix` from the beginning of `text`. Returns false if `text` does not begin with it.
inline bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Removes white space at both ends.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

// Replaces each run of white space by one space, and removes it at both ends.
inline std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = c == ' ' || (c >= '\t' && c <= '\r');
    if (is_space && (line.empty() || line.back() == ' ')) continue;
    line += is_space ? ' ' : c;
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

// Returns true for an ASCII letter or digit, or `_`.
inline bool is_ascii_word_character(char c) { return is_alphanumeric(c) || c == '_'; }

}  // namespace snapgen::core
