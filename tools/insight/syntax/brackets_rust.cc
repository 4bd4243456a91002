#include "tools/insight/syntax/brackets.h"

namespace snapgen::core {
namespace {

class RustBrackets : BracketLexer {
 public:
  explicit RustBrackets(std::string_view text) : BracketLexer(text) {}

  BracketCheck run() && {
    if (in_.looking_at("---")) doubt("front matter");
    while (!done()) token();
    finish();
    return std::move(*this).result();
  }

 private:
  void token() {
    const char c = in_.peek();
    if (in_.looking_at("//")) {
      in_.skip_to('\n');
    } else if (in_.looking_at("/*")) {
      take_comment();
    } else if (c == '"') {
      take_text();
    } else if (c == '\'') {
      take_character();
    } else if (is_word(c)) {
      const std::string_view word = in_.take_word();
      const bool is_raw = word == "r" || word == "br" || word == "cr";
      if (is_raw && (in_.peek() == '"' || in_.peek() == '#')) take_raw_string();
    } else {
      take_byte();
    }
  }

  // Comments nest.
  void take_comment() {
    const std::size_t begin = in_.at();
    std::size_t depth = 0;
    do {
      if (in_.looking_at("/*")) {
        ++depth;
        in_.skip(2);
      } else if (in_.looking_at("*/")) {
        --depth;
        in_.skip(2);
      } else {
        in_.skip();
      }
    } while (depth > 0 && !in_.at_end());
    if (depth > 0) fail(begin, "a comment is not terminated");
  }

  // Strings may span lines.
  void take_text() {
    const std::size_t begin = in_.at();
    in_.skip();
    while (!in_.at_end() && in_.peek() != '"') in_.skip(in_.peek() == '\\' ? 2 : 1);
    if (in_.at_end()) return fail(begin, "a string is not terminated");
    in_.skip();
  }

  // 'x', '\n' or '(', or the lifetime in &'a.
  void take_character() {
    if (in_.peek(1) == '\\') {
      in_.skip(3);
      while (!in_.at_end() && in_.peek() != '\'' && in_.peek() != '\n') in_.skip();
      in_.skip();
      return;
    }
    std::size_t size = 2;  // The quote and one character.
    while (size < 5 && (static_cast<unsigned char>(in_.peek(size)) & 0xc0) == 0x80) ++size;
    if (in_.peek(size) == '\'') return in_.skip(size + 1);
    in_.skip();
    in_.take_word();
  }

  void take_raw_string() {
    const std::size_t begin = in_.at();
    std::string end = "\"";
    while (in_.peek() == '#') {
      end += '#';
      in_.skip();
    }
    if (in_.peek() != '"') return;  // A raw identifier: r#word.
    in_.skip();
    take_until(begin, end, "a raw string");
  }
};

}  // namespace

BracketCheck check_rust_brackets(std::string_view text) { return RustBrackets(text).run(); }

}  // namespace snapgen::core
