// Scanner of Go's import declarations, which precede all other declarations of a file.
#include "tools/insight/imports/cursor.h"
#include "tools/insight/imports/scan.h"

namespace snapgen::core {
namespace {

void skip_space(Cursor& in) {
  while (!in.at_end()) {
    if (in.looking_at("//")) {
      in.skip_to('\n');
    } else if (in.looking_at("/*")) {
      in.skip(2);
      in.skip_past("*/");
    } else if (in.peek() == ' ' || in.peek() == '\t' || in.peek() == '\r' || in.peek() == '\n' ||
               in.peek() == ';') {
      in.skip();
    } else {
      return;
    }
  }
}

// Takes one import of a declaration: `x "path"`, `. "path"`, `_ "path"` or `"path"`. Returns false for
// anything else.
bool take_spec(Cursor& in, std::vector<Import>& imports) {
  if (in.peek() == '.') {
    in.skip();
  } else {
    in.take_word();
  }
  skip_space(in);
  std::size_t begin = in.at();
  std::string_view name;
  if (in.peek() == '"') {
    name = in.take_quoted();
  } else if (in.peek() == '`') {
    in.skip();
    in.skip_to('`');
    name = in.text_since(begin + 1);
    in.skip();
  } else {
    return false;
  }
  if (!name.empty()) {
    imports.push_back(Import{.name = std::string(name),
                             .members = {},
                             .path = {},
                             .line = in.line_of(begin),
                             .kind = ImportKind::plain});
  }
  return true;
}

}  // namespace

std::vector<Import> scan_go(std::string_view text) {
  std::vector<Import> imports;
  Cursor in(text);
  while (true) {
    skip_space(in);
    std::string_view word = in.take_word();
    skip_space(in);
    if (word == "package") {
      in.take_word();
    } else if (word != "import") {
      return imports;
    } else if (in.peek() == '(') {
      in.skip();
      skip_space(in);
      while (!in.at_end() && in.peek() != ')' && take_spec(in, imports)) skip_space(in);
      in.skip();
    } else if (!take_spec(in, imports)) {
      return imports;
    }
  }
}

}  // namespace snapgen::core
