// Scanner of Python's import statements at any depth: in functions, in `try`, under `if TYPE_CHECKING:`; and
// of calls of the functions that import a module.
#include <optional>

#include "tools/insight/imports/cursor.h"
#include "tools/insight/imports/scan.h"

namespace snapgen::core {
namespace {

class PythonScanner {
 public:
  explicit PythonScanner(std::string_view text) : in_(text) {}

  std::vector<Import> run() && {
    if (in_.looking_at("\xEF\xBB\xBF")) in_.skip(3);
    while (!in_.at_end()) logical_line();
    return std::move(imports_);
  }

 private:
  void logical_line() {
    std::size_t begin = in_.at();
    in_.skip_blanks();
    std::size_t indentation = in_.at() - begin;
    char first = in_.peek();
    if (first != '\n' && first != '\r' && first != '#') {
      if (types_alone_ && indentation <= *types_alone_) types_alone_.reset();
      if (function_ && indentation <= *function_) function_.reset();
    }
    statements(indentation);
  }

  // Takes the import or the `if TYPE_CHECKING:` that begins here. Of any other statement, takes only the
  // first word.
  void begin_statement(std::size_t indentation) {
    in_.skip_blanks();
    std::size_t begin = in_.at();
    if (!is_word_character(in_.peek())) return;
    std::string_view word = in_.take_word();
    if (word == "import") {
      take_import(begin);
    } else if (word == "from") {
      take_from(begin);
    } else if (word == "def" || word == "async") {
      // After `async`, a function follows, or a block in a function.
      if (!function_) function_ = indentation;
      in_.skip_blanks();
      in_.take_word();  // The name of the function.
    } else if (is_import_function(word)) {
      take_call(begin);
    } else if (word == "if" && !types_alone_ && asks_for_types()) {
      types_alone_ = indentation;
    } else if (in_.peek() == '"' || in_.peek() == '\'') {
      skip_string(word);
    }
  }

  // Scans to the end of the logical line, which may contain several statements: `try: import x`, `a = 1;
  // import x`.
  void statements(std::size_t indentation) {
    begin_statement(indentation);
    int depth = 0;
    while (!in_.at_end()) {
      char c = in_.peek();
      if (c == '\n') {
        in_.skip();
        if (depth == 0) return;
      } else if (c == '\\') {
        in_.skip(in_.peek(1) == '\r' ? 3 : 2);
      } else if (c == '#') {
        in_.skip_to('\n');
      } else if (c == '"' || c == '\'') {
        skip_string({});
      } else if (is_word_character(c)) {
        const std::size_t begin = in_.at();
        std::string_view word = in_.take_word();
        if (in_.peek() == '"' || in_.peek() == '\'') skip_string(word);
        if (is_import_function(word)) take_call(begin);
      } else {
        in_.skip();
        if (c == '(' || c == '[' || c == '{') ++depth;
        if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
        if (depth == 0 && (c == ':' || c == ';')) begin_statement(indentation);
      }
    }
  }

  bool asks_for_types() {
    Cursor ahead = in_;
    ahead.skip_blanks();
    std::size_t begin = ahead.at();
    while (is_word_character(ahead.peek()) || ahead.peek() == '.') ahead.skip();
    std::string_view condition = ahead.text_since(begin);
    return condition == "TYPE_CHECKING" || condition.ends_with(".TYPE_CHECKING");
  }

  // Skips a string whose opening quote is at the position. `prefix` has the letters before it, such as r or
  // f.
  void skip_string(std::string_view prefix) {
    char quote = in_.peek();
    bool raw = prefix.find_first_of("rR") != std::string_view::npos;
    if (in_.peek(1) == quote && in_.peek(2) == quote) {
      in_.skip(3);
      while (!in_.at_end() && !(in_.peek() == quote && in_.peek(1) == quote && in_.peek(2) == quote)) {
        in_.skip(in_.peek() == '\\' ? 2 : 1);
      }
      in_.skip(3);
      return;
    }
    in_.skip();
    while (!in_.at_end() && in_.peek() != quote && in_.peek() != '\n') {
      // A backslash escapes the quote even in a raw string. Only outside of raw strings does it also join
      // lines.
      in_.skip(in_.peek() == '\\' && (!raw || in_.peek(1) != '\n') ? 2 : 1);
    }
    if (in_.peek() == quote) in_.skip();
  }

  // Skips blanks and joined lines, and within parentheses also line breaks and comments.
  void skip_space(bool in_parentheses) {
    while (!in_.at_end()) {
      char c = in_.peek();
      if (c == '\\' && (in_.peek(1) == '\n' || in_.peek(1) == '\r')) {
        in_.skip(in_.peek(1) == '\r' ? 3 : 2);
      } else if (in_parentheses && c == '\n') {
        in_.skip();
      } else if (in_parentheses && c == '#') {
        in_.skip_to('\n');
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
        in_.skip();
      } else {
        return;
      }
    }
  }

  // Takes a module name `a.b.c`, with white space where Python allows it, and leading dots if `relative`.
  std::string take_module(bool relative) {
    std::string module;
    skip_space(false);
    while (relative && in_.peek() == '.') {
      module += '.';
      in_.skip();
      skip_space(false);
    }
    while (is_word_character(in_.peek())) {
      Cursor before = in_;
      std::string_view word = in_.take_word();
      if (word == "import") {
        in_ = before;
        break;
      }
      module += word;
      skip_space(false);
      if (in_.peek() != '.') break;
      module += '.';
      in_.skip();
      skip_space(false);
    }
    return module;
  }

  static bool is_import_function(std::string_view word) {
    return word == "import_module" || word == "__import__";
  }

  // Adds the module that the argument of a call names. The position remains before the arguments.
  void take_call(std::size_t begin) {
    const Cursor before = in_;
    if (in_.peek() == '(') {
      in_.skip();
      skip_space(true);
      const char quote = in_.peek();
      const bool is_literal = (quote == '"' || quote == '\'') && in_.peek(1) != quote;
      std::string module(is_literal ? in_.take_quoted() : std::string_view());
      skip_space(true);
      const bool is_whole = in_.peek() == ')' || in_.peek() == ',';
      if (module.starts_with('.') && in_.peek() == ',') resolve_in_package(module);
      add_call(begin, is_whole ? module : std::string());
    }
    in_ = before;
  }

  // Makes a relative module absolute if the second argument of the call is a string: `import_module(".a",
  // "p")`.
  void resolve_in_package(std::string& module) {
    in_.skip();
    skip_space(true);
    if (in_.looking_at("package")) {
      in_.skip(7);
      skip_space(true);
      in_.skip();
      skip_space(true);
    }
    if (in_.peek() != '"' && in_.peek() != '\'') return;
    std::string_view package = in_.take_quoted();
    std::size_t dots = std::min(module.find_first_not_of('.'), module.size());
    for (std::size_t i = 1; i < dots; ++i)
      package = package.substr(0, std::min(package.rfind('.'), package.size()));
    module = std::string(package) + "." + module.substr(dots);
  }

  void add_call(std::size_t at, std::string module) {
    const ImportKind kind = module.empty() ? ImportKind::computed : ImportKind::deferred;
    imports_.push_back(
        Import{.name = std::move(module), .members = {}, .path = {}, .line = in_.line_of(at), .kind = kind});
  }

  void take_import(std::size_t begin) {
    while (true) {
      std::string module = take_module(false);
      if (module.empty()) return;
      add(begin, std::move(module), {});
      skip_alias(false);
      if (in_.peek() != ',') return;
      in_.skip();
    }
  }

  void take_from(std::size_t begin) {
    std::string module = take_module(true);
    skip_space(false);
    if (module.empty() || in_.take_word() != "import") return;
    skip_space(false);
    bool parentheses = in_.peek() == '(';
    if (parentheses) in_.skip();
    std::vector<std::string> members;
    while (true) {
      skip_space(parentheses);
      std::string_view member = in_.take_word();
      if (member.empty()) break;
      members.emplace_back(member);
      skip_alias(parentheses);
      if (in_.peek() != ',') break;
      in_.skip();
    }
    if (parentheses && in_.peek() == ')') in_.skip();
    add(begin, std::move(module), std::move(members));
  }

  void skip_alias(bool in_parentheses) {
    skip_space(in_parentheses);
    Cursor before = in_;
    if (in_.take_word() == "as") {
      skip_space(in_parentheses);
      in_.take_word();
      skip_space(in_parentheses);
    } else {
      in_ = before;
    }
  }

  void add(std::size_t at, std::string module, std::vector<std::string> members) {
    imports_.push_back(Import{.name = std::move(module),
                              .members = std::move(members),
                              .path = {},
                              .line = in_.line_of(at),
                              .kind = types_alone_ ? ImportKind::type_only
                                      : function_  ? ImportKind::deferred
                                                   : ImportKind::plain});
  }

  Cursor in_;
  // The indentation of the `if TYPE_CHECKING:` that the position is in, if any.
  std::optional<std::size_t> types_alone_;
  std::optional<std::size_t> function_;  // The indentation of the outermost `def` that the position is in.
  std::vector<Import> imports_;
};

}  // namespace

std::vector<Import> scan_python(std::string_view text) { return PythonScanner(text).run(); }

}  // namespace snapgen::core
