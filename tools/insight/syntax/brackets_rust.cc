#include "tools/insight/imports/tokens.h"
#include "tools/insight/syntax/brackets.h"

namespace snapgen::core {
namespace {

class RustBrackets : BracketLexer {
 public:
  explicit RustBrackets(std::string_view text) : BracketLexer(text) {}

  BracketCheck run() && {
    if (in_.looking_at("---")) set_doubt("front matter");
    while (!done()) token();
    fail_if_open();
    return std::move(*this).result();
  }

 private:
  void token() {
    const std::size_t begin = in_.at();
    const char c = in_.peek();
    if (in_.looking_at("//")) {
      in_.skip_to('\n');
    } else if (in_.looking_at("/*")) {
      if (!skip_rust_comment(in_)) fail(begin, "a comment is not terminated");
    } else if (c == '"') {
      if (!skip_rust_string(in_)) fail(begin, "a string is not terminated");
    } else if (c == '\'') {
      skip_rust_character(in_);
    } else if (is_word_character(c)) {
      const std::string_view word = in_.take_word();
      const bool is_raw = word == "r" || word == "br" || word == "cr";
      if (is_raw && (in_.peek() == '"' || in_.peek() == '#')) take_raw_string();
    } else {
      take_byte();
    }
  }

  void take_raw_string() {
    const std::size_t begin = in_.at();
    if (!skip_rust_raw_string(in_)) fail(begin, "a raw string is not terminated");
  }
};

}  // namespace

BracketCheck check_rust_brackets(std::string_view text) { return RustBrackets(text).run(); }

}  // namespace snapgen::core
