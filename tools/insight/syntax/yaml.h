#pragma once
// Finds syntax errors in YAML with libyaml, which knows YAML 1.1. What it rejects may be YAML 1.2, so a text with
// an error is read again in the form that version 1.1 has for it.
#include <optional>
#include <string_view>

#include "tools/insight/syntax/syntax.h"

namespace snapgen::core {

// Returns the first syntax error; nullopt if there is none, or if memory is exhausted. `text` must be valid
// UTF-8.
std::optional<SyntaxFault> yaml_fault(std::string_view text);

}  // namespace snapgen::core
