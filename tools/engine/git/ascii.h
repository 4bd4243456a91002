#pragma once
// ASCII characters as git classifies them in its files, independent of the locale.
#include <algorithm>
#include <string_view>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core::git {

inline bool is_space(int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Compares `text`, in any case, with `lower`, which has no capital letters.
inline bool same_word(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return lowered(a) == b; });
}

}  // namespace snapgen::core::git
