#include "tools/insight/syntax/brackets.h"

namespace snapgen::core {
namespace {

class GoBrackets : BracketLexer {
 public:
  explicit GoBrackets(std::string_view text) : BracketLexer(text) {}

  BracketCheck run() && {
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
      in_.skip(2);
      take_until(begin, "*/", "a comment");
    } else if (c == '`') {
      in_.skip();
      take_until(begin, "`", "a raw string");
    } else if (c == '"') {
      take_string("a string");
    } else if (c == '\'') {
      take_string("a rune");
    } else {
      take_byte();
    }
  }
};

}  // namespace

BracketCheck check_go_brackets(std::string_view text) { return GoBrackets(text).run(); }

}  // namespace snapgen::core
