#include <algorithm>

#include "tools/insight/imports/tokens.h"
#include "tools/insight/syntax/brackets.h"

namespace snapgen::core {
namespace {

// Returns whether a slash after this word begins a regular expression.
bool precedes_regular_expression(std::string_view word) {
  static constexpr std::string_view words[] = {"case", "delete", "do",    "else",   "in",  "instanceof",
                                               "new",  "return", "throw", "typeof", "void"};
  return std::ranges::find(words, word) != std::end(words);
}

// Returns whether the word is a keyword in some contexts and a name in others.
bool may_be_keyword(std::string_view word) { return word == "of" || word == "yield" || word == "await"; }

class JavascriptBrackets : BracketLexer {
 public:
  explicit JavascriptBrackets(std::string_view text) : BracketLexer(text) {}

  BracketCheck run(bool has_jsx) && {
    if (in_.looking_at("#!")) in_.skip_to('\n');
    while (!done()) token();
    fail_if_open();
    if (failed()) {
      if (guessed_) set_doubt("regular expressions");
      const bool has_tags =
          text_.find("</") != std::string_view::npos || text_.find("/>") != std::string_view::npos;
      if (has_jsx && has_tags) set_doubt("JSX");
      if (text_.find("<!--") != std::string_view::npos) set_doubt("HTML comments");
    }
    return std::move(*this).result();
  }

 private:
  void token() {
    const std::size_t begin = in_.at();
    const char c = in_.peek();
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      in_.skip();
    } else if (in_.looking_at("//")) {
      in_.skip_to('\n');
    } else if (in_.looking_at("/*")) {
      in_.skip(2);
      take_until(begin, "*/", "a comment");
    } else if (is_javascript_name_character(c)) {
      take_name();
    } else if (c == '"' || c == '\'') {
      take_string("a string");
      after('"', true);
    } else if (c == '`') {
      in_.skip();
      take_template(begin);
    } else if (c == '/') {
      take_slash();
    } else {
      take_punctuator(c);
    }
  }

  // Records the token that was taken. `operand`: it ends an operand, so that a slash after it divides.
  // `guess`: that is uncertain.
  void after(char last, bool operand, bool guess = false) {
    last_ = last;
    operand_ = operand;
    guess_ = guess;
  }

  void take_name() {
    const bool is_member = last_ == '.';
    const std::size_t begin = in_.at();
    while (is_javascript_name_character(in_.peek())) in_.skip();
    const std::string_view name = in_.text_since(begin);
    after('a', is_member || !precedes_regular_expression(name), !is_member && may_be_keyword(name));
  }

  void take_punctuator(char c) {
    if (c == '}' && !open_.empty() && open_.back().bracket == '$') {
      open_.pop_back();
      in_.skip();
      return take_template(in_.at());
    }
    if (in_.looking_at("...")) {
      in_.skip(3);
      return after(',', false);  // The word after `...` is not a member, although it follows a dot.
    }
    const bool is_doubled = (c == '+' || c == '-') && in_.at() > 0 && last_ == c && in_.peek_back(1) == c;
    const bool follows_operand = c == '!' && operand_;
    take_byte();
    after(c, c == ')' || c == ']', is_doubled || follows_operand || c == ')' || c == '}' || c == '>');
  }

  // Takes the text of a template string up to its next `${`, or to the closing backtick.
  void take_template(std::size_t begin) {
    while (!in_.at_end() && in_.peek() != '`' && !in_.looking_at("${")) in_.skip(in_.peek() == '\\' ? 2 : 1);
    if (in_.at_end()) return fail(begin, "a template is not terminated");
    if (in_.peek() == '`') {
      in_.skip();
      return after('`', true);
    }
    open_.push_back({.bracket = '$', .at = in_.at()});
    in_.skip(2);
    after('{', false);
  }

  void take_slash() {
    guessed_ = guessed_ || guess_;
    const Cursor before = in_;
    if (operand_ || before.at() < divisions_until_) {
      in_.skip();
      return after('/', false);
    }
    if (skip_regular_expression(in_)) return after('"', true);
    // The line has no closing slash, so this slash and all others up to here are divisions.
    divisions_until_ = in_.at();
    guessed_ = true;
    in_ = before;
    in_.skip();
    after('/', false);
  }

  char last_ = '\0';      // The last punctuator, `a` after a name, or a quote.
  bool operand_ = false;  // The value of `operand` in the last call of after().
  bool guess_ = false;
  bool guessed_ = false;  // A slash came after a token whose kind was guessed.
  std::size_t divisions_until_ = 0;
};

}  // namespace

BracketCheck check_javascript_brackets(std::string_view text, bool has_jsx) {
  return JavascriptBrackets(text).run(has_jsx);
}

}  // namespace snapgen::core
