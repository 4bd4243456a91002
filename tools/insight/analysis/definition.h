#pragma once
// Finds the names that the lines of a source define: functions, types and constants that are not local.
//
// A heuristic for the languages of the import graph: one line is not enough to be certain.
#include <cstdint>
#include <string_view>

#include "tools/insight/imports/language.h"

namespace snapgen::core {

struct Definition {
  enum class Kind : std::uint8_t {
    certain,   // A keyword, or the form of a function that is not indented, marks the definition.
    constant,  // An assignment in Python, or a constant of C++.
    method,    // A method of a class in braces.
  };
  // Where the line defines the name. Elsewhere, it is that of a local variable.
  enum class Scope : std::uint8_t { anywhere, type_or_namespace, only_namespace };

  std::string_view name;  // Empty if the line defines nothing.
  Kind kind = Kind::certain;
  Scope scope = Scope::anywhere;
};

// Returns what a line of source defines.
Definition definition_in(std::string_view line, Language language);

// Returns whether the definition is in its scope. `outer` is the last line before it, or the line itself,
// that is not indented; empty if it is unknown.
bool is_in_scope(const Definition& definition, std::string_view outer, Language language);

// Returns the name that a line defines if it is in the right scope, or empty.
inline std::string_view defined_name(std::string_view line, Language language) {
  return definition_in(line, language).name;
}

}  // namespace snapgen::core
