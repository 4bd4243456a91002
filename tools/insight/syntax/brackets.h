#pragma once
// Checks brackets, strings and comments of a source text, by lexers that know the tokens of a language but
// not its grammar.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/insight/imports/cursor.h"
#include "tools/insight/syntax/syntax.h"

namespace snapgen::core {

struct BracketCheck {
  std::optional<SyntaxFault> fault;
  std::string_view doubt;  // What may mislead the lexer: "JSX"; empty: nothing.
};

// `is_header`: the file may have braces that another file opens or closes.
BracketCheck check_c_brackets(std::string_view text, bool is_header);
BracketCheck check_go_brackets(std::string_view text);
// `has_jsx`: the text between tags, which may have any quotes, is possible.
BracketCheck check_javascript_brackets(std::string_view text, bool has_jsx);
BracketCheck check_python_brackets(std::string_view text);
BracketCheck check_rust_brackets(std::string_view text);

// The base of the lexers.
class BracketLexer {
 protected:
  struct Open {
    char bracket;    // ( [ {, or $ for the ${ of a template.
    std::size_t at;  // Its offset.
  };

  explicit BracketLexer(std::string_view text) : text_(text), in_(text) {}

  bool failed() const { return fault_.has_value(); }
  bool done() const { return failed() || in_.at_end(); }
  // Only the first one counts.
  void fail(std::size_t at, std::string message);
  void doubt(std::string_view why);
  // Fails if brackets are open.
  void finish();
  BracketCheck result() &&;

  // Takes any byte; a bracket is opened or closed.
  void take_byte();
  // Skips a string on one line, whose quote is at the position. A backslash joins lines. Returns false if the
  // string is not terminated.
  bool skip_string();
  // As skip_string(), and fails if the string is not terminated.
  void take_string(std::string_view what);
  // Skips a backslash and the character behind it, CR LF included.
  void skip_escape();
  // Moves behind `end`, which ends what begins at the position, or fails.
  void take_until(std::size_t begin, std::string_view end, std::string_view what);

  std::string_view text_;
  Cursor in_;
  std::vector<Open> open_;

 private:
  void close(char bracket);

  std::optional<SyntaxFault> fault_;
  std::string_view doubt_;
};

}  // namespace snapgen::core
