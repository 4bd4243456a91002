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
  std::int64_t line = 0;    // The first line is 1.
  std::int64_t column = 0;  // The first byte of a line is 1; 0 if the column is unknown.
  std::string message;      // A phrase without a full stop: "'(' is never closed".

  bool operator==(const SyntaxFault&) const = default;
};

struct SyntaxCheck {
  std::string_view tool;  // The name, such as "JSON syntax"; empty if there is no parser for this file.
  // Only brackets, strings and comments were checked; or of a notebook the JSON, without its code.
  bool is_partial = false;
  bool is_full_grammar = false;           // The parser of a programming language read it, but no compiler.
  std::string_view doubt = {};            // Why the file was not checked, such as "JSX"; or empty.
  std::optional<SyntaxFault> fault = {};  // The first syntax error, if there is one.
  bool is_certain = true;                 // Every program that reads the file rejects the fault.
};

inline constexpr std::string_view template_doubt = "template placeholders";

// Chooses the parser by `path`. Takes time linear in the size of `text`, which may have any bytes.
SyntaxCheck check_syntax(std::string_view path, std::string_view text);

// Returns whether a program is probably a template, of which another program makes the program.
bool is_program_template(std::string_view path, std::string_view text);

// Makes a fault whose byte offset `at` is converted to line and column.
SyntaxFault fault_at(std::string_view text, std::size_t at, std::string message);

}  // namespace snapgen::core
