// The lexer of C, C++, Objective-C and CUDA. It reads all branches of preprocessor conditionals, which must
// agree on their brackets, except branches of `#if 0`. It ignores brackets in directives.
#include <algorithm>

#include "runtime/base/ascii.h"
#include "tools/engine/files/path.h"
#include "tools/insight/imports/tokens.h"
#include "tools/insight/syntax/brackets.h"

namespace snapgen::core {
namespace {

constexpr std::size_t delimiter_bytes_max = 16;  // The limit for the delimiter of a raw string.
constexpr std::size_t open_max = 256;            // Limits the cost of an #if, which copies the open brackets.

// Returns whether a macro of this name may contain a bracket, such as NAMESPACE_BEGIN or END_TRY.
bool may_have_bracket(std::string_view word) {
  static constexpr std::string_view parts[] = {
      "BEGIN", "BLOCK",   "CASE", "CATCH", "CLOSE", "EACH", "ELSE", "END",   "ENTER", "EXIT",   "FINALLY",
      "FOR",   "FOREACH", "IF",   "LEAVE", "OPEN",  "POP",  "PUSH", "START", "STOP",  "SWITCH", "TRY"};
  const bool is_macro = word.size() >= 2 && std::ranges::all_of(word, [](char c) {
                          return is_upper(c) || is_digit(c) || c == '_';
                        });
  if (!is_macro) return false;
  while (!word.empty()) {
    const std::size_t end = std::min(word.find('_'), word.size());
    if (std::ranges::find(parts, word.substr(0, end)) != std::end(parts)) return true;
    word.remove_prefix(std::min(end + 1, word.size()));
  }
  return false;
}

// Returns whether a header of this name may open or close braces, such as "abi_prefix.hpp" or <pushpack.h>.
bool is_brace_header(std::string_view header) {
  const std::string_view name = base_name(header);
  for (const std::string_view each : {"begin", "end", "pop", "prefix", "push", "start", "suffix"})
    if (name.find(each) != std::string_view::npos) return true;
  return false;
}

class CBrackets : BracketLexer {
 public:
  CBrackets(std::string_view text, bool is_header) : BracketLexer(text), is_header_(is_header) {}

  BracketCheck run() && {
    if (in_.looking_at("\xEF\xBB\xBF")) in_.skip(3);
    bool line_begins = true;
    while (!done()) {
      const char c = in_.peek();
      if (c == '\n') {
        line_begins = true;
        in_.skip();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        in_.skip();
      } else if (in_.looking_at("/*")) {
        take_comment();
      } else if (in_.looking_at("//")) {
        skip_c_line_comment(in_);
      } else if (line_begins && (c == '#' || in_.looking_at("%:"))) {
        take_directive();
        line_begins = false;
      } else {
        take_token(c);
        line_begins = false;
      }
    }
    conclude();
    return std::move(*this).result();
  }

 private:
  // A conditional that is open, from #if to #endif.
  struct Conditional {
    std::vector<OpenBracket> before;                // The brackets that are open before the #if.
    std::optional<std::vector<OpenBracket>> after;  // The brackets that are open after the first branch.
    bool is_guard = false;        // The conditional is the include guard around the whole file.
    bool is_of_language = false;  // The condition tests __cplusplus.
    bool has_else = false;
  };

  void conclude() {
    const bool is_nested =
        std::ranges::any_of(conditionals_, [](const Conditional& each) { return !each.is_guard; });
    if (!failed() && !conditionals_.empty()) set_doubt("an #if without #endif");
    const bool only_braces = !open_.empty() && std::ranges::all_of(open_, [](const OpenBracket& each) {
      return each.bracket == '{';
    });
    const bool closes_nothing = failed() && open_.empty();
    if (is_header_ && (closes_nothing || (!failed() && only_braces))) set_doubt("braces of another file");
    fail_if_open();
    if (!failed()) return;
    if (is_nested) set_doubt("preprocessor conditionals");
    if (has_macros_) set_doubt("macros");
  }

  void take_comment() {
    const std::size_t begin = in_.at();
    in_.skip(2);
    take_until(begin, "*/", "a comment");
  }

  void skip_blanks_and_comments() {
    in_.skip_blanks();
    while (in_.looking_at("/*") && !failed()) {
      take_comment();
      in_.skip_blanks();
    }
  }

  // Takes the rest of a directive, whose comments may span lines. Returns whether its brackets match in
  // number.
  bool take_rest() {
    std::int64_t round = 0, square = 0, curly = 0;
    while (!done() && in_.peek() != '\n') {
      const char c = in_.peek();
      if (in_.looking_at("/*")) {
        take_comment();
      } else if (in_.looking_at("//")) {
        skip_c_line_comment(in_);
      } else if (c == '"' || c == '\'') {
        (void)skip_string();  // The text need not be a terminated string: `#error don't`.
      } else if (c == '\\') {
        skip_escape();
      } else {
        round += (c == '(') - (c == ')');
        square += (c == '[') - (c == ']');
        curly += (c == '{') - (c == '}');
        in_.skip();
      }
    }
    return round == 0 && square == 0 && curly == 0;
  }

  void take_directive() {
    in_.skip(in_.peek() == '#' ? 1 : 2);
    skip_blanks_and_comments();
    const std::string_view word = in_.take_word();
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      begin_conditional(word);
    } else if (word.starts_with("el")) {
      take_rest();
      begin_group(word == "else");
    } else if (word == "endif") {
      take_rest();
      end_conditional();
    } else if (word == "include" || word == "import" || word == "include_next") {
      const std::size_t begin = in_.at();
      take_rest();
      const bool is_inside =
          std::ranges::any_of(open_, [](const OpenBracket& each) { return each.bracket != '{'; });
      has_macros_ = has_macros_ || is_inside || is_brace_header(in_.text_since(begin));
    } else if (word == "define") {
      const bool matches = take_rest();
      has_macros_ = has_macros_ || !matches;
    } else {
      take_rest();
    }
    has_directive_ = true;
  }

  void begin_conditional(std::string_view word) {
    in_.skip_blanks();
    const std::size_t begin = in_.at();
    take_rest();
    const std::string_view condition = in_.text_since(begin);
    // Code follows the conditional that seemed to be the include guard, so it was none, and its brackets are
    // unknown.
    if (guard_ended_) has_macros_ = true;
    if (open_.size() > open_max || conditionals_.size() > open_max) {
      set_doubt("deep nesting");
      return in_.go_to(text_.size());
    }
    conditionals_.push_back({.before = open_,
                             .after = {},
                             .is_guard = !has_directive_ && word == "ifndef",
                             .is_of_language = condition.find("__cplusplus") != std::string_view::npos,
                             .has_else = false});
    const bool is_zero =
        condition.starts_with('0') && (condition.size() == 1 || !is_word_character(condition[1]));
    if (word == "if" && is_zero) skip_group();
  }

  static bool have_same_brackets(const std::vector<OpenBracket>& a, const std::vector<OpenBracket>& b) {
    return std::ranges::equal(a, b, {}, &OpenBracket::bracket, &OpenBracket::bracket);
  }

  // Records the brackets that are open at the end of a branch. They must be the same for all branches.
  void end_group(Conditional& conditional) {
    if (!conditional.after)
      conditional.after = open_;
    else if (!have_same_brackets(*conditional.after, open_))
      set_doubt("preprocessor conditionals");
  }

  void begin_group(bool is_else) {
    if (conditionals_.empty()) return set_doubt("an #else without #if");
    Conditional& conditional = conditionals_.back();
    conditional.is_guard = false;
    end_group(conditional);
    open_ = conditional.before;
    conditional.has_else = conditional.has_else || is_else;
  }

  void end_conditional() {
    if (conditionals_.empty()) return set_doubt("an #endif without #if");
    Conditional conditional = std::move(conditionals_.back());
    conditionals_.pop_back();
    if (conditional.is_guard) {
      guard_ended_ = true;
      return;
    }
    end_group(conditional);
    const bool is_optional =
        !conditional.has_else && !have_same_brackets(*conditional.after, conditional.before);
    // The brace of an `extern "C" {` for C++ is not counted; nor is its end, see ends_linkage().
    if (is_optional && conditional.is_of_language) {
      open_ = std::move(conditional.before);
      return;
    }
    if (is_optional) set_doubt("preprocessor conditionals");
    open_ = *std::move(conditional.after);
  }

  // Moves to the #elif, #else or #endif that ends a branch that is not compiled.
  void skip_group() {
    int depth = 0;
    while (!in_.at_end()) {
      in_.skip_to('\n');
      const std::size_t line = in_.at();
      in_.skip();
      in_.skip_blanks();
      if (in_.peek() != '#') continue;
      in_.skip();
      in_.skip_blanks();
      const std::string_view word = in_.take_word();
      if (word.starts_with("if")) ++depth;
      if (depth == 0 && (word == "endif" || word.starts_with("el"))) return in_.go_to(line);
      if (word == "endif") --depth;
    }
  }

  void take_token(char c) {
    if (c == '"') {
      take_string("a string");
    } else if (c == '\'') {
      take_string("a character");
    } else if (is_digit(c) || (c == '.' && is_digit(in_.peek(1)))) {
      take_number();
    } else if (is_word_character(c)) {
      take_name();
    } else if (c == '}' && ends_linkage()) {
      in_.skip();
    } else {
      take_byte();
    }
  }

  // Returns whether a brace closes the `extern "C" {` of an earlier `#ifdef __cplusplus`.
  bool ends_linkage() const {
    if (conditionals_.empty()) return false;
    const Conditional& conditional = conditionals_.back();
    return conditional.is_of_language && open_.size() == conditional.before.size();
  }

  // Takes a number, which may have digit separators: 1'000.
  void take_number() {
    char last = in_.peek();
    in_.skip();
    while (true) {
      const char c = in_.peek();
      const bool is_sign =
          (c == '+' || c == '-') && (last == 'e' || last == 'E' || last == 'p' || last == 'P');
      if (!is_word_character(c) && c != '.' && !is_sign && !(c == '\'' && is_word_character(in_.peek(1))))
        return;
      last = c;
      in_.skip();
    }
  }

  void take_name() {
    const std::string_view word = in_.take_word();
    if (in_.peek() == '"' && word.ends_with('R') && word.size() <= 3) return take_raw_string();
    if (may_have_bracket(word)) has_macros_ = true;
    // The assembly in `__asm { ... }` has other comments, which the lexer does not know.
    if (word != "__asm" && word != "_asm" && word != "asm") return;
    in_.skip_blanks();
    if (in_.peek() == '{' || in_.peek() == '\r' || in_.peek() == '\n') has_macros_ = true;
  }

  void take_raw_string() {
    const std::size_t begin = in_.at();
    in_.skip();
    const std::size_t delimiter = in_.at();
    while (!in_.at_end() && in_.peek() != '(' && in_.at() - delimiter <= delimiter_bytes_max) in_.skip();
    if (in_.peek() != '(') {
      has_macros_ = true;
      return;
    }
    const std::string end = ")" + std::string(in_.text_since(delimiter)) + "\"";
    take_until(begin, end, "a raw string");
  }

  const bool is_header_;
  std::vector<Conditional> conditionals_;
  bool has_directive_ = false;
  bool guard_ended_ = false;
  bool has_macros_ = false;  // Macros or included files may contain brackets.
};

}  // namespace

BracketCheck check_c_brackets(std::string_view text, bool is_header) {
  return CBrackets(text, is_header).run();
}

}  // namespace snapgen::core
