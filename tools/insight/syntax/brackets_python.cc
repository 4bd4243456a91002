#include <algorithm>
#include <string>

#include "tools/insight/syntax/brackets.h"

namespace snapgen::core {
namespace {

constexpr int fields_deep_max = 8;  // Limits how deeply fields of f-strings may be nested.

// Returns whether these letters may precede a string: r, b, u, f, t, or two of them.
bool is_string_prefix(std::string_view word) {
  return !word.empty() && word.size() <= 2 && word.find_first_not_of("rbuftRBUFT") == std::string_view::npos;
}

class PythonBrackets : BracketLexer {
 public:
  explicit PythonBrackets(std::string_view text) : BracketLexer(text) {}

  BracketCheck run() && {
    while (!done()) token();
    fail_if_open();
    return std::move(*this).result();
  }

 private:
  void token() {
    const char c = in_.peek();
    if (c == '#') {
      in_.skip_to('\n');
    } else if (c == '\\') {
      skip_escape();
    } else if (c == '"' || c == '\'') {
      take_literal({});
    } else if (is_word_character(c)) {
      const std::string_view word = in_.take_word();
      const bool is_quote = in_.peek() == '"' || in_.peek() == '\'';
      if (is_quote && is_string_prefix(word)) take_literal(word);
    } else {
      take_byte();
    }
  }

  struct Literal {
    std::size_t begin = 0;
    std::string end;          // The quotes that close the string.
    bool has_fields = false;  // The string is an f-string or t-string.
    bool is_raw = false;
    int depth = 0;  // The number of fields that enclose the string.
  };

  void take_literal(std::string_view prefix) {
    const char quote = in_.peek();
    const bool is_long = in_.peek(1) == quote && in_.peek(2) == quote;
    Literal literal{.begin = in_.at(),
                    .end = std::string(is_long ? 3 : 1, quote),
                    .has_fields = prefix.find_first_of("fFtT") != std::string_view::npos,
                    .is_raw = prefix.find_first_of("rR") != std::string_view::npos,
                    .depth = depth_};
    in_.skip(literal.end.size());
    while (!failed()) {
      if (in_.at_end() || (in_.peek() == '\n' && !is_long)) return unterminated(literal);
      if (in_.looking_at(literal.end)) return in_.skip(literal.end.size());
      take_part(literal);
    }
  }

  // Takes one character, escape or field of a string.
  void take_part(const Literal& literal) {
    const char c = in_.peek();
    if (c == '\\' && literal.has_fields && !literal.is_raw && in_.looking_at("\\N{")) {
      in_.skip_past("}");
    } else if (c == '\\' && literal.has_fields && (in_.peek(1) == '{' || in_.peek(1) == '}')) {
      in_.skip();
    } else if (c == '\\') {
      skip_escape();
    } else if (c == '{' && literal.has_fields && in_.peek(1) == '{') {
      in_.skip(2);
    } else if (c == '{' && literal.has_fields) {
      take_field(literal);
    } else {
      in_.skip();
    }
  }

  // Takes a field of an f-string: the expression in braces, with its format.
  void take_field(const Literal& literal) {
    if (depth_ == fields_deep_max) {
      set_doubt("nested f-strings");
      return fail(in_.at(), "an f-string is nested deeply");
    }
    ++depth_;
    in_.skip();
    const std::size_t outside = open_.size();
    while (!failed()) {
      if (in_.at_end()) {
        unterminated(literal);
      } else if (open_.size() == outside && in_.peek() == '}') {
        in_.skip();
        break;
      } else if (open_.size() == outside && in_.peek() == ':') {
        take_format(literal);
        break;
      } else {
        if (in_.peek() == '\n' && literal.end.size() == 1) set_doubt("nested f-strings");
        token();
      }
    }
    --depth_;
  }

  // Takes the format of a field: from the colon to the brace that closes the field.
  void take_format(const Literal& literal) {
    in_.skip();
    while (!failed()) {
      if (in_.at_end()) return unterminated(literal);
      if (in_.peek() == '}') return in_.skip();
      if (in_.looking_at(literal.end)) {
        set_doubt("nested f-strings");
        return unterminated(literal);
      }
      if (in_.peek() == '{')
        take_field(literal);
      else
        in_.skip();
    }
  }

  void unterminated(const Literal& literal) { fail(literal.begin, "a string is not terminated"); }

  int depth_ = 0;
};

}  // namespace

BracketCheck check_python_brackets(std::string_view text) { return PythonBrackets(text).run(); }

}  // namespace snapgen::core
