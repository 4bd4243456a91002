#pragma once
// Splits plain text from files and programs into lines and words.
#include <algorithm>
#include <string_view>

#include "runtime/base/ascii.h"

namespace snapgen::core {

// Takes the next line off `rest`, without its line break. Returns false at the end of the text.
inline bool next_line(std::string_view& rest, std::string_view& line) {
  if (rest.empty()) return false;
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return true;
}

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

// Returns true for an ASCII letter or digit, or `_`.
inline bool is_ascii_word_character(char c) { return is_alphanumeric(c) || c == '_'; }

}  // namespace snapgen::core
