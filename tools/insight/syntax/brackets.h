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
  std::string_view doubt;  // Why the result may be wrong, such as "JSX"; or empty.
};

// Set `is_header` for a file whose braces another file may open or close.
BracketCheck check_c_brackets(std::string_view text, bool is_header);
BracketCheck check_go_brackets(std::string_view text);
// Set `has_jsx` if the file may have JSX, whose text between tags can contain any quotes.
BracketCheck check_javascript_brackets(std::string_view text, bool has_jsx);
BracketCheck check_python_brackets(std::string_view text);
BracketCheck check_rust_brackets(std::string_view text);

// BracketLexer is the base class of the lexers.
class BracketLexer {
 protected:
  struct OpenBracket {
    char bracket;    // The bracket: ( [ {, or $ for the ${ of a template string.
    std::size_t at;  // The offset of the bracket.
  };

  explicit BracketLexer(std::string_view text) : text_(text), in_(text) {}

  bool failed() const { return fault_.has_value(); }
  bool done() const { return failed() || in_.at_end(); }
  // Records a fault, or a reason to doubt the result. Only the first one counts.
  void fail(std::size_t at, std::string message);
  void set_doubt(std::string_view why);
  // Fails if brackets are still open.
  void fail_if_open();
  BracketCheck result() &&;

  // Takes one byte. If it is a bracket, opens it, or closes the one that is open.
  void take_byte();
  // Skips a string whose opening quote is at the position. It ends on the same line, unless a backslash joins
  // lines. Returns false if it is not terminated.
  bool skip_string();
  // Does as skip_string(), but fails if the string is not terminated.
  void take_string(std::string_view what);
  // Skips a backslash and the character behind it; CR LF counts as one.
  void skip_escape();
  // Moves behind `end`, which terminates the token that begins at `begin`. Fails if there is no `end`.
  void take_until(std::size_t begin, std::string_view end, std::string_view what);

  std::string_view text_;
  Cursor in_;
  std::vector<OpenBracket> open_;

 private:
  void close(char bracket);

  std::optional<SyntaxFault> fault_;
  std::string_view doubt_;
};

}  // namespace snapgen::core
