// Scanner of import, export … from, import(), require(), `new URL("x", import.meta.url)`, mocks of jest,
// `declare module "x"`, `/// <reference path>` and the types of JSDoc in JavaScript and TypeScript.
//
// A lexer for strings, comments, templates and regular expressions that remembers one token. It reads JSX as
// operators and words.
#include <optional>
#include <utility>

#include "tools/insight/imports/cursor.h"
#include "tools/insight/imports/scan.h"
#include "tools/insight/imports/tokens.h"

namespace snapgen::core {
namespace {

// Returns whether a slash after this word begins a regular expression, instead of being a division.
bool takes_operand(std::string_view word) {
  for (std::string_view one : {"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new",
                               "instanceof", "do", "else", "yield", "await"}) {
    if (word == one) return true;
  }
  return false;
}

// BracedNames counts the names in the braces of an import, and those with the modifier `type`.
class BracedNames {
 public:
  void add_word(std::string_view word) {
    ++words_;
    if (words_ == 1) begins_with_type_ = word == "type";
    if (words_ == 2) second_is_as_ = word == "as";
  }
  // Called at each comma and brace.
  void end_name() {
    if (words_ == 0) return;
    ++names_;
    // `type as x` imports a value named `type`, but `type as` and `type as as x` import a type named `as`.
    const bool is_type = begins_with_type_ && (second_is_as_ ? words_ == 2 || words_ == 4 : words_ > 1);
    types_ += is_type ? 1 : 0;
    words_ = 0;
    begins_with_type_ = second_is_as_ = false;
  }
  bool are_all_types() const { return names_ > 0 && types_ == names_; }

 private:
  int words_ = 0;  // The words of the current name: `type`, the name, `as` and the local name.
  bool begins_with_type_ = false, second_is_as_ = false;
  int names_ = 0, types_ = 0;
};

class JavascriptScanner {
 public:
  explicit JavascriptScanner(std::string_view text) : in_(text) {}

  std::vector<Import> run() && {
    while (skip_space(true)) token();
    return std::move(imports_);
  }

 private:
  // Skips white space and comments. Returns false at the end of the text. Only between tokens are the imports
  // of comments taken, because an import must not come after one that begins later.
  bool skip_space(bool takes_comments = false) {
    while (!in_.at_end()) {
      char c = in_.peek();
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        in_.skip();
      } else if (c == '/' && in_.peek(1) == '/') {
        if (takes_comments && in_.peek(2) == '/') take_reference();
        in_.skip_to('\n');
      } else if (takes_comments && in_.looking_at("/**")) {
        in_.skip(2);
        documentation();
      } else if (c == '/' && in_.peek(1) == '*') {
        in_.skip(2);
        in_.skip_past("*/");
      } else {
        return true;
      }
    }
    return false;
  }

  // Takes the types that a comment imports, `{import("x").T}` and `@import {T} from "x"`, and skips it.
  void documentation() {
    const bool follows_operand = operand_;
    bool is_type = false, is_import = false;
    while (!in_.at_end() && !in_.looking_at("*/")) {
      const std::size_t begin = in_.at();
      const char c = in_.peek();
      if (c == '{' || c == '}') is_type = c == '{';
      if (c == '@') is_import = in_.looking_at("@import ");
      const bool is_call = is_type && in_.looking_at("import(");
      const bool is_clause = is_import && in_.looking_at("from ");
      in_.skip(is_call ? 7 : is_clause ? 5 : 1);
      const bool is_quoted = in_.peek() == '"' || in_.peek() == '\'';
      if ((is_call || is_clause) && is_quoted) add(begin, in_.take_quoted(), ImportKind::type_only);
    }
    in_.skip(2);
    operand_ = follows_operand;
  }

  void token() {
    char c = in_.peek();
    if (is_javascript_name_character(c)) {
      word();
    } else if (c == '"' || c == '\'') {
      in_.take_quoted();
      operand_ = true;
    } else if (c == '`') {
      in_.skip();
      rest_of_template();
    } else if (c == '/' && !operand_ && last_ != '<' && in_.at() >= divisions_until_) {
      regular_expression();
    } else {
      punctuator(c);
    }
  }

  void punctuator(char c) {
    if (in_.looking_at("...")) {
      in_.skip(2);
      c = ',';  // The dots of `...import("x")` are not a member access.
    }
    in_.skip();
    if (c == '{') braces_.push_back(false);
    bool template_goes_on = c == '}' && !braces_.empty() && braces_.back();
    if (c == '}' && !braces_.empty()) braces_.pop_back();
    if (template_goes_on) return rest_of_template();
    operand_ = c == ')' || c == ']';
    last_ = c;
    follows_function_ = false;
  }

  // Skips a template string to its closing backtick, or into its next `${`.
  void rest_of_template() {
    while (!in_.at_end() && in_.peek() != '`' && !(in_.peek() == '$' && in_.peek(1) == '{')) {
      in_.skip(in_.peek() == '\\' ? 2 : 1);
    }
    bool closed = in_.peek() == '`';
    if (!closed) braces_.push_back(true);
    in_.skip(closed ? 1 : 2);
    operand_ = closed;
    last_ = '`';
  }

  void regular_expression() {
    Cursor before = in_;
    if (skip_regular_expression(in_)) {
      operand_ = true;
    } else {
      // The line has no closing slash, so this slash and all others up to here are divisions.
      divisions_until_ = in_.at();
      in_ = before;
      punctuator('/');
    }
  }

  std::string_view take_name() {
    std::size_t begin = in_.at();
    while (is_javascript_name_character(in_.peek())) in_.skip();
    return in_.text_since(begin);
  }

  void word() {
    std::size_t begin = in_.at();
    bool member = last_ == '.' && !operand_;
    std::string_view name = take_name();
    operand_ = member || !takes_operand(name);
    last_ = 'a';
    const bool is_declared = std::exchange(follows_function_, name == "function");
    if (member || is_declared) return;
    if (name == "import") {
      take_import(begin);
    } else if (name == "export") {
      take_export(begin);
    } else if (name == "require") {
      take_require(begin);
    } else if (name == "define") {
      take_define(begin);
    } else if (name == "declare") {
      take_declaration(begin);
    } else if (name == "jest" || name == "vi") {
      take_mock(begin);
    } else if (name == "URL") {
      take_url(begin);
    }
  }

  // Takes the arguments of a call whose first one is a string: `("x")`, `("x", …)`. Otherwise restores the
  // position.
  bool take_call(std::size_t begin, ImportKind kind) {
    Cursor before = in_;
    skip_space();
    if (in_.peek() == '(') {
      in_.skip();
      skip_space();
      std::optional<std::string_view> name = take_literal();
      skip_space();
      if (name && (in_.peek() == ')' || in_.peek() == ',')) {
        add(begin, *name, kind);
        return true;
      }
    }
    in_ = before;
    return false;
  }

  // Takes a call with any arguments: one whose first argument is no string is a computed import.
  void take_any_call(std::size_t begin, ImportKind kind) {
    if (take_call(begin, kind)) return;
    Cursor ahead = in_;
    ahead.skip_blanks();
    if (ahead.peek() != '(') return;
    ahead.skip();
    ahead.skip_blanks();
    if (ahead.peek() != ')') add_computed(begin);
  }

  void take_require(std::size_t begin) {
    if (in_.looking_at(".context")) return add_computed(begin);  // A function of webpack.
    const bool only_resolves = in_.looking_at(".resolve(");
    if (only_resolves) in_.skip(8);
    take_any_call(begin, only_resolves ? ImportKind::deferred : ImportKind::plain);
  }

  // Notes the modules of AMD, `define(["a"], …)` or `define("name", ["a"], …)`, whose loader has settings of
  // its own. The position remains.
  void take_define(std::size_t begin) {
    const Cursor before = in_;
    skip_space();
    const bool is_call = in_.peek() == '(';
    in_.skip();
    skip_space();
    if (take_literal()) {
      skip_space();
      in_.skip();
      skip_space();
    }
    const bool has_list = in_.peek() == '[';
    in_ = before;
    if (is_call && has_list) add_computed(begin);
  }

  // Takes `module "x"` after `declare`, which adds names to a module. Otherwise restores the position.
  void take_declaration(std::size_t begin) {
    const Cursor before = in_;
    if (skip_space() && take_name() == "module" && skip_space() && (in_.peek() == '"' || in_.peek() == '\''))
      return add(begin, in_.take_quoted(), ImportKind::type_only);
    in_ = before;
  }

  // Takes a call of jest or vitest that names a module, such as `.mock("x")`. Otherwise restores the
  // position.
  void take_mock(std::size_t begin) {
    const Cursor before = in_;
    if (in_.peek() == '.') {
      in_.skip();
      const std::string_view name = take_name();
      if (in_.peek() == '<') {  // A type, as in `importActual<typeof a>("./a")`.
        while (!in_.at_end() && std::string_view(">(\n").find(in_.peek()) == std::string_view::npos)
          in_.skip();
        in_.skip(in_.peek() == '>' ? 1 : 0);
      }
      for (std::string_view one : {"mock", "doMock", "requireActual", "importActual"})
        if (name == one && take_call(begin, ImportKind::deferred)) return;
    }
    in_ = before;
  }

  // Takes the arguments `("x", import.meta.url)`, as for a worker. Otherwise restores the position.
  void take_url(std::size_t begin) {
    const Cursor before = in_;
    skip_space();
    if (in_.peek() == '(') {
      in_.skip();
      skip_space();
      const std::optional<std::string_view> name = take_literal();
      skip_space();
      const bool has_base = in_.peek() == ',';
      in_.skip();
      skip_space();
      if (name && has_base && in_.looking_at("import.meta.url")) add_url(begin, *name);
    }
    in_ = before;
  }

  // Adds a URL that is relative, even without a leading dot.
  void add_url(std::size_t at, std::string_view url) {
    const bool is_relative = url.starts_with('.') || (!url.starts_with('/') && url.find(':') == url.npos);
    if (is_relative) add(at, (url.starts_with('.') ? "" : "./") + std::string(url), ImportKind::deferred);
  }

  // Takes a string, or a template string without substitutions.
  std::optional<std::string_view> take_literal() {
    char quote = in_.peek();
    if (quote == '"' || quote == '\'') return in_.take_quoted();
    if (quote != '`') return std::nullopt;
    std::string_view text = in_.take_quoted();
    if (text.find("${") != std::string_view::npos) return std::nullopt;
    return text;
  }

  void take_import(std::size_t begin) {
    skip_space();
    char c = in_.peek();
    if (c == '(') {
      take_any_call(begin, ImportKind::deferred);
    } else if (in_.looking_at(".meta.glob")) {
      add_computed(begin);  // A function of Vite.
    } else if (c == '"' || c == '\'') {
      add(begin, in_.take_quoted(), ImportKind::plain);
    } else if (c != '.') {
      take_clause(begin);
    }
  }

  void take_export(std::size_t begin) {
    skip_space();
    Cursor before = in_;
    if (take_name() == "type") skip_space();
    bool from = in_.peek() == '*' || in_.peek() == '{';
    in_ = before;
    if (from) take_clause(begin);
  }

  // Takes the part between `import` or `export` and `from "x"`, or `= require("x")`. Anything else is not an
  // import, and the position is restored.
  void take_clause(std::size_t begin) {
    Cursor before = in_;
    ImportKind kind = ImportKind::plain;
    std::string_view previous;
    bool in_braces = false;
    bool had_braces = false;
    BracedNames braced;
    // The number of names outside of braces. A valid clause has few: `type`, a default, `as` and another
    // name.
    int names = 0;
    for (bool first = true; names <= 6 && skip_space(); first = false) {
      char c = in_.peek();
      if (is_javascript_name_character(c)) {
        std::string_view name = take_name();
        names += in_braces ? 0 : 1;
        if (in_braces) braced.add_word(name);
        if (name == "from" && !in_braces) {
          skip_space();
          if (in_.peek() == '"' || in_.peek() == '\'') {
            // `import type from "x"` is not a type import: it imports a default export under the name `type`.
            if (previous == "type") kind = ImportKind::plain;
            // Apart from the braces, the clause has only the word `from`.
            if (kind == ImportKind::plain && names == 1 && braced.are_all_types())
              kind = ImportKind::type_names;
            return add(begin, in_.take_quoted(), kind);
          }
        }
        if (first && name == "type") kind = ImportKind::type_only;
        previous = first ? name : std::string_view("…");
      } else if ((c == '{' && !had_braces) || (c == '}' && in_braces)) {
        in_braces = c == '{';
        had_braces = true;
        braced.end_name();
        previous = {};
        in_.skip();
      } else if (c == ',' || c == '*') {
        if (c == ',') braced.end_name();
        if (c == '*') ++names;
        previous = {};
        in_.skip();
      } else if (in_braces && (c == '"' || c == '\'')) {
        braced.add_word(in_.take_quoted());
      } else if (c == '=' && !in_braces) {
        in_.skip();
        skip_space();
        Cursor here = in_;
        if (take_name() == "require" && take_call(begin, ImportKind::plain)) return;
        in_ = here;
        return;
      } else {
        break;
      }
    }
    // The clause is an export list without `from`; the text after it is scanned as ordinary code.
    in_ = before;
  }

  void take_reference() {
    std::size_t begin = in_.at();
    Cursor ahead = in_;
    ahead.skip(3);
    ahead.skip_blanks();
    if (!ahead.looking_at("<reference")) return;
    ahead.skip(10);
    ahead.skip_blanks();
    const bool is_path = ahead.looking_at("path=");
    if (!is_path && !ahead.looking_at("types=")) return;
    ahead.skip(is_path ? 5 : 6);
    if (ahead.peek() == '"' || ahead.peek() == '\'') add(begin, ahead.take_quoted(), ImportKind::type_only);
  }

  void add(std::size_t at, std::string_view name, ImportKind kind) {
    operand_ = true;
    if (name.empty()) return;
    imports_.push_back(
        Import{.name = std::string(name), .members = {}, .path = {}, .line = in_.line_of(at), .kind = kind});
  }

  void add_computed(std::size_t at) {
    imports_.push_back(
        Import{.name = {}, .members = {}, .path = {}, .line = in_.line_of(at), .kind = ImportKind::computed});
  }

  Cursor in_;
  bool follows_function_ = false;  // The last token was the word `function`.
  bool operand_ = false;           // The last token ends an operand, so a slash means division.
  char last_ = '\0';               // The last punctuator, or `a` after a word.
  std::size_t divisions_until_ = 0;
  std::vector<bool> braces_;  // The braces that are open; true for the `${` of a template string.
  std::vector<Import> imports_;
};

}  // namespace

std::vector<Import> scan_javascript(std::string_view text) { return JavascriptScanner(text).run(); }

}  // namespace snapgen::core
