#pragma once
// The syntax of YAML, by libyaml.
#include <optional>
#include <string_view>

#include "tools/insight/syntax/syntax.h"

namespace snapgen::core {

// The first syntax error; nullopt if there is none, or memory is exhausted. `text`: valid UTF-8.
std::optional<SyntaxFault> yaml_fault(std::string_view text);

}  // namespace snapgen::core
