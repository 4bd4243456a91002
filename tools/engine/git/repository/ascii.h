#pragma once
// ASCII characters as git classifies them in its files, independent of the locale.

namespace snapgen::core::git {

inline bool is_space(int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace snapgen::core::git
