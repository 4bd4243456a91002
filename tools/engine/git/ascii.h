#pragma once
// ASCII characters as git classifies them in its files, independent of the locale.
#include <algorithm>
#include <string>
#include <string_view>

namespace snapgen::core::git {

inline bool is_space(int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

inline char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

inline std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lowered(c);
  return out;
}

// Compares `text`, in any case, with `lower`, which has no capital letters.
inline bool same_word(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return lowered(a) == b; });
}

}  // namespace snapgen::core::git
