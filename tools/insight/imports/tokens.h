#pragma once
// Functions that skip tokens, for the scanners of imports and the lexers of brackets. Each begins at the
// token and moves behind it.
#include <string>

#include "tools/insight/imports/cursor.h"

namespace snapgen::core {

// Skips a C line comment, which continues on the next line after a backslash.
inline void skip_c_line_comment(Cursor& in) {
  const auto is_joined = [&] {
    const std::size_t back = in.at() > 0 && in.peek_back(1) == '\r' ? 2 : 1;
    return in.at() >= back && in.peek_back(back) == '\\';
  };
  do {
    in.skip();
    in.skip_to('\n');
  } while (!in.at_end() && is_joined());
}

inline bool is_javascript_name_character(char c) { return is_word_character(c) || c == '$'; }

// Skips a regular expression of JavaScript. If the line has no closing slash, the slash begins none: returns
// false, at the end of the line.
inline bool skip_regular_expression(Cursor& in) {
  bool in_class = false;
  in.skip();
  while (!in.at_end() && in.peek() != '\n' && (in_class || in.peek() != '/')) {
    if (in.peek() == '[') in_class = true;
    if (in.peek() == ']') in_class = false;
    in.skip(in.peek() == '\\' && in.peek(1) != '\n' ? 2 : 1);
  }
  if (in.peek() != '/') return false;
  in.skip();
  return true;
}

// Skips a Rust block comment, which may contain others. Returns false if it is not terminated.
inline bool skip_rust_comment(Cursor& in) {
  std::size_t depth = 0;
  do {
    if (in.looking_at("/*")) {
      ++depth;
      in.skip(2);
    } else if (in.looking_at("*/")) {
      --depth;
      in.skip(2);
    } else {
      in.skip();
    }
  } while (depth > 0 && !in.at_end());
  return depth == 0;
}

// Skips a Rust string, which may span lines. Returns false if it is not terminated.
inline bool skip_rust_string(Cursor& in) {
  in.skip();
  while (!in.at_end() && in.peek() != '"') in.skip(in.peek() == '\\' ? 2 : 1);
  if (in.at_end()) return false;
  in.skip();
  return true;
}

// Skips a character such as 'x' or '\n'. Of a lifetime such as &'a, skips only the quote and the name.
inline void skip_rust_character(Cursor& in) {
  if (in.peek(1) == '\\') {
    in.skip(3);
    while (!in.at_end() && in.peek() != '\'' && in.peek() != '\n') in.skip();
    in.skip();
    return;
  }
  std::size_t size = 2;  // The size of the opening quote and one character.
  while (size < 5 && (static_cast<unsigned char>(in.peek(size)) & 0xc0) == 0x80) ++size;
  if (in.peek(size) == '\'') return in.skip(size + 1);
  in.skip();
  in.take_word();
}

// Skips a raw string of Rust from behind its prefix, or the `#` of a raw identifier, r#word. Returns false if
// the string is not terminated.
inline bool skip_rust_raw_string(Cursor& in) {
  std::string end = "\"";
  while (in.peek() == '#') {
    end += '#';
    in.skip();
  }
  if (in.peek() != '"') return true;  // Raw identifiers have no quote.
  in.skip();
  return in.skip_past(end);
}

}  // namespace snapgen::core
