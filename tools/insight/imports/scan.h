#pragma once
// What the text of a source file says that it imports, before anybody asks where that stands.
//
// The scanners know comments, strings and what else hides a word, but not the grammar: a text that no
// compiler would take gives the imports that are in it all the same. They never fail, and read each byte a
// bounded number of times.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/insight/imports/language.h"

namespace snapgen::core {

enum class ImportKind : std::uint8_t {
  plain,
  type_only,  // Gone when the program runs: `import type`, `if TYPE_CHECKING:`.
  system,     // `#include <…>`
  submodule,  // Rust's `mod x;`: the name is a module of this file's; `#[path]` gives `path` instead.
};

struct Import {
  // As it is written, without quotes. Python: the module, with its leading dots. Rust: the path, `a::b::c`.
  std::string name;
  // Python's `from name import a, b`: a and b, which may be modules or not.
  std::vector<std::string> members;
  std::string path;       // See ImportKind::submodule.
  std::int64_t line = 0;  // from 1
  ImportKind kind = ImportKind::plain;

  bool operator==(const Import&) const = default;
};

// In the order of the text.
std::vector<Import> scan_imports(Language language, std::string_view text);

std::vector<Import> scan_javascript(std::string_view text);
std::vector<Import> scan_python(std::string_view text);
std::vector<Import> scan_c(std::string_view text);
std::vector<Import> scan_go(std::string_view text);
std::vector<Import> scan_rust(std::string_view text);

}  // namespace snapgen::core
