#pragma once
// Finds syntax errors in the text of one file, without running a program.
//
// JSON, TOML and YAML are parsed. In the languages whose imports are scanned, only brackets, strings and
// comments are checked. Where that cannot be decided without the language's grammar (macros, JSX, templates),
// the file counts as not checked, so that every reported error is a real one.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen::core {

struct SyntaxFault {
  std::int64_t line = 0;    // From 1.
  std::int64_t column = 0;  // From 1, in bytes; 0: unknown.
  std::string message;      // Words without a full stop: "'(' is never closed".

  bool operator==(const SyntaxFault&) const = default;
};

struct SyntaxCheck {
  std::string_view tool;                  // "JSON syntax"; empty: there is no parser for this file.
  bool is_partial = false;                // The grammar of the language was not checked.
  std::string_view unchecked = {};        // What prevented the check: "JSX"; empty: nothing.
  std::optional<SyntaxFault> fault = {};  // The first error.
};

// `path`: decides the language. Linear in the size of `text`, which may have any bytes.
SyntaxCheck check_syntax(std::string_view path, std::string_view text);

// The position of a byte as line and column.
SyntaxFault fault_at(std::string_view text, std::size_t at, std::string message);

}  // namespace snapgen::core
