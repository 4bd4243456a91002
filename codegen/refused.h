#pragma once
// refused: alternatives to words that authors know from other languages, for error sentences.
#include <string_view>

namespace snapgen::codegen {

// The advice for an unsupported or mistaken keyword of JSON Schema; empty if there is none.
std::string_view instead_of(std::string_view keyword);

// The JSON type for a name in other languages: `int` is integer. Empty if there is none.
std::string_view foreign_type(std::string_view name);

}  // namespace snapgen::codegen
