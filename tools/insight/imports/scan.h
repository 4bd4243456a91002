#pragma once
// Extracts the imports from the text of a source file, without resolving them.
//
// The scanners know comments, strings and similar tokens, but not the grammar, so they also find the imports
// in text that does not compile. They never fail, and read each byte a bounded number of times.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/insight/imports/language.h"

namespace snapgen::core {

enum class ImportKind : std::uint8_t {
  plain,
  type_only,  // The import does not exist at run time: `import type`, `if TYPE_CHECKING:`.
  // Executed later than the file is loaded: Python's in a function or with importlib, and JavaScript's
  // `import()`, `new URL("x", import.meta.url)`, `require.resolve()` and the mocks of jest.
  deferred,
  system,  // An include in angle brackets: `#include <…>`.
  // In Rust, `mod x;` declares a submodule of this file. If `#[path]` names the file, it is in Import::path.
  submodule,
  // `import { type A, type B }`: no import at run time, unless the project has `verbatimModuleSyntax`.
  type_names,
  computed,  // The name is not known: `require(x)`, `import.meta.glob("./*.js")`, `#include MACRO`.
};

struct Import {
  // The text of the import, without quotes; empty if it is computed. In Python, the module with its leading
  // dots; in Rust, the path `a::b::c`.
  std::string name;
  // For Python's `from name import a, b`: the names a and b, which may or may not be modules.
  std::vector<std::string> members;
  std::string path;       // The path in `#[path]`, see ImportKind::submodule.
  std::int64_t line = 0;  // The first line is 1.
  ImportKind kind = ImportKind::plain;

  bool operator==(const Import&) const = default;
};

// Returns the imports of a source file in text order.
std::vector<Import> scan_imports(Language language, std::string_view text);

std::vector<Import> scan_javascript(std::string_view text);
std::vector<Import> scan_python(std::string_view text);
std::vector<Import> scan_c(std::string_view text);
std::vector<Import> scan_go(std::string_view text);
std::vector<Import> scan_rust(std::string_view text);
std::vector<Import> scan_component(std::string_view text);

}  // namespace snapgen::core
