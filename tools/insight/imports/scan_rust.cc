// Scanner of Rust's `mod x;`, `use` trees, `extern crate`, include!(), and paths in code.
#include <utility>

#include "runtime/base/ascii.h"
#include "tools/insight/imports/cursor.h"
#include "tools/insight/imports/scan.h"
#include "tools/insight/imports/tokens.h"

namespace snapgen::core {
namespace {

// These limits exceed any real program; deeper `use` trees and longer lists are ignored.
constexpr std::size_t tree_depth_max = 32;
constexpr std::size_t imports_max = 100'000;
constexpr std::size_t use_path_bytes_max = 1024;

class RustScanner {
 public:
  explicit RustScanner(std::string_view text) : in_(text) {}

  std::vector<Import> run() && {
    if (in_.looking_at("#!") && in_.peek(2) != '[') in_.skip_to('\n');
    while (skip_space() && imports_.size() < imports_max) token();
    return std::move(imports_);
  }

 private:
  bool skip_space() {
    while (!in_.at_end()) {
      char c = in_.peek();
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
        in_.skip();
      } else if (in_.looking_at("//")) {
        in_.skip_to('\n');
      } else if (in_.looking_at("/*")) {
        skip_rust_comment(in_);
      } else {
        return true;
      }
    }
    return false;
  }

  void token() {
    char c = in_.peek();
    if (is_word_character(c)) {
      word();
    } else if (c == '"') {
      skip_rust_string(in_);
    } else if (c == '\'') {
      skip_rust_character(in_);
    } else if (c == '#') {
      attribute();
    } else {
      if (c == '{') {
        modules_.emplace_back();
      } else if (c == '}' && !modules_.empty()) {
        modules_.pop_back();
      } else if (c == ';') {
        path_.clear();
      }
      after_colons_ = in_.looking_at("::");
      in_.skip(after_colons_ ? 2 : 1);
      return;
    }
    after_colons_ = false;
  }

  // Stores the path in #[path = "x.rs"] for the next `mod`.
  void attribute() {
    in_.skip();
    if (in_.peek() == '!') in_.skip();
    skip_space();
    if (in_.peek() != '[') return;
    in_.skip();
    skip_space();
    if (in_.take_word() != "path") return;
    skip_space();
    if (in_.peek() != '=') return;
    in_.skip();
    skip_space();
    if (in_.peek() == '"') path_ = in_.take_quoted();
  }

  void word() {
    std::size_t begin = in_.at();
    std::string_view word = in_.take_word();
    if (in_.peek() == '"' && (word == "b" || word == "c")) {
      skip_rust_string(in_);
      return;
    }
    if ((word == "r" || word == "br" || word == "cr") && (in_.peek() == '"' || in_.peek() == '#')) {
      skip_rust_raw_string(in_);
      return;
    }
    if (after_colons_) return;
    if (word == "mod") {
      module(begin);
    } else if (word == "use") {
      skip_space();
      tree(begin, {}, 0);
    } else if (word == "extern") {
      external(begin);
    } else if (word == "include") {
      included(begin);
    } else if (word == "crate" || word == "self" || word == "super") {
      path_in_code(begin, std::string(word));
    } else if (in_.looking_at("::") && is_lower(word[0]) && word != "std" && word != "core" &&
               word != "alloc") {
      path_in_code(begin, std::string(word));  // The path of another crate, or of a module, without `use`.
    }
  }

  void module(std::size_t begin) {
    skip_space();
    std::string_view name = in_.take_word();
    skip_space();
    if (in_.peek() == ';' && !name.empty()) {
      std::string full;
      for (std::size_t i = 0; i < modules_.size() && i < tree_depth_max; ++i) {
        if (!modules_[i].empty()) extend(full, modules_[i]);
      }
      extend(full, name);
      add(begin, full, ImportKind::submodule);
      imports_.back().path = std::exchange(path_, {});
    } else if (in_.peek() == '{') {
      in_.skip();
      modules_.emplace_back(name);
      path_.clear();
    }
  }

  // Takes a tree of `use`, such as `a::{b, c::d, self}`, `a::*` or `a as b`.
  void tree(std::size_t begin, std::string path, std::size_t depth) {
    if (in_.looking_at("::")) in_.skip(2);
    while (true) {
      skip_space();
      if (in_.peek() == '{') {
        in_.skip();
        if (depth == tree_depth_max) return;
        while (skip_space() && in_.peek() != '}' && imports_.size() < imports_max) {
          std::size_t before = in_.at();
          tree(begin, path, depth + 1);
          skip_space();
          if (in_.peek() == ',') in_.skip();
          if (in_.at() == before) return;
        }
        in_.skip();
        return;
      }
      if (in_.peek() == '*') {
        in_.skip();
        add(begin, path, ImportKind::plain);
        return;
      }
      if (in_.looking_at("r#")) in_.skip(2);
      std::string_view word = in_.take_word();
      if (word.empty()) return;
      if (!(word == "self" && !path.empty())) extend(path, word);
      skip_space();
      if (!in_.looking_at("::")) break;
      in_.skip(2);
    }
    add(begin, path, ImportKind::plain);
    Cursor before = in_;
    if (in_.take_word() == "as") {
      skip_space();
      in_.take_word();
    } else {
      in_ = before;
    }
  }

  static void extend(std::string& path, std::string_view word) {
    if (path.size() + word.size() > use_path_bytes_max) return;
    if (!path.empty()) path += "::";
    path += word;
  }

  void external(std::size_t begin) {
    Cursor before = in_;
    skip_space();
    if (in_.take_word() == "crate") {
      skip_space();
      std::string_view name = in_.take_word();
      if (!name.empty()) return add(begin, std::string(name), ImportKind::plain);
    }
    in_ = before;
  }

  // Takes the import in include!("x.rs").
  void included(std::size_t begin) {
    if (in_.peek() != '!') return;
    in_.skip();
    skip_space();
    if (in_.peek() != '(') return;
    in_.skip();
    skip_space();
    if (in_.peek() != '"') return;
    add(begin, {}, ImportKind::submodule);
    imports_.back().path = in_.take_quoted();
  }

  void path_in_code(std::size_t begin, std::string path) {
    while (in_.looking_at("::")) {
      Cursor before = in_;
      in_.skip(2);
      std::string_view word = in_.take_word();
      if (word.empty()) {
        in_ = before;
        break;
      }
      extend(path, word);
    }
    if (path.find(':') != std::string::npos) add(begin, path, ImportKind::plain);
  }

  void add(std::size_t at, std::string name, ImportKind kind) {
    imports_.push_back(
        Import{.name = std::move(name), .members = {}, .path = {}, .line = in_.line_of(at), .kind = kind});
  }

  Cursor in_;
  std::vector<std::string> modules_;  // The module that each open brace begins, mostly empty.
  std::string path_;                  // The path in the last attribute #[path = "…"].
  bool after_colons_ = false;
  std::vector<Import> imports_;
};

}  // namespace

std::vector<Import> scan_rust(std::string_view text) { return RustScanner(text).run(); }

}  // namespace snapgen::core
