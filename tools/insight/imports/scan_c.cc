// Scanner of #include, #include_next, #import and `import "…";` in C, C++ and Objective-C.
#include "runtime/base/ascii.h"
#include "tools/insight/imports/cursor.h"
#include "tools/insight/imports/scan.h"
#include "tools/insight/imports/tokens.h"

namespace snapgen::core {
namespace {

class CScanner {
 public:
  explicit CScanner(std::string_view text) : in_(text) {}

  std::vector<Import> run() && {
    bool line_begins = true;
    while (!in_.at_end()) {
      char c = in_.peek();
      if (c == '\n') {
        line_begins = true;
        in_.skip();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
        in_.skip();
      } else if (in_.looking_at("/*")) {
        in_.skip(2);
        in_.skip_past("*/");
      } else if (in_.looking_at("//")) {
        skip_c_line_comment(in_);
      } else if (c == '#' && line_begins) {
        in_.skip();
        directive();
        line_begins = false;
      } else {
        other(line_begins);
        line_begins = false;
      }
    }
    return std::move(imports_);
  }

 private:
  void directive() {
    in_.skip_blanks();
    std::string_view word = in_.take_word();
    if (word != "include" && word != "include_next" && word != "import") return;
    in_.skip_blanks();
    if (is_word_character(in_.peek()))
      imports_.push_back(Import{.name = {},
                                .members = {},
                                .path = {},
                                .line = in_.line_of(in_.at()),
                                .kind = ImportKind::computed});
    take_header();
  }

  void take_header() {
    std::size_t begin = in_.at();
    if (in_.peek() == '"') {
      add(begin, in_.take_quoted(), ImportKind::plain);
    } else if (in_.peek() == '<') {
      in_.skip();
      std::size_t name = in_.at();
      while (!in_.at_end() && in_.peek() != '>' && in_.peek() != '\n') in_.skip();
      if (in_.peek() == '>') add(begin, in_.text_since(name), ImportKind::system);
    }
  }

  void other(bool line_begins) {
    char c = in_.peek();
    if (c == '"' || c == '\'') {
      in_.take_quoted();
    } else if (is_word_character(c)) {
      std::string_view word = in_.take_word();
      if (in_.peek() == '"' && word.ends_with('R') && word.size() <= 3) {
        skip_raw_string();
      } else if (in_.peek() == '\'' && is_digit(word.front())) {
        in_.skip();  // Skips a digit separator, as in 1'000.
      } else if (line_begins && word == "import") {
        in_.skip_blanks();
        take_header();
      }
    } else {
      in_.skip();
    }
  }

  void skip_raw_string() {
    in_.skip();
    std::size_t begin = in_.at();
    while (!in_.at_end() && in_.peek() != '(' && in_.peek() != '"' && in_.at() - begin <= 16) in_.skip();
    if (in_.peek() != '(') return;
    std::string end = ")" + std::string(in_.text_since(begin)) + "\"";
    in_.skip_past(end);
  }

  void add(std::size_t at, std::string_view name, ImportKind kind) {
    if (name.empty()) return;
    imports_.push_back(
        Import{.name = std::string(name), .members = {}, .path = {}, .line = in_.line_of(at), .kind = kind});
  }

  Cursor in_;
  std::vector<Import> imports_;
};

}  // namespace

std::vector<Import> scan_c(std::string_view text) { return CScanner(text).run(); }

}  // namespace snapgen::core
