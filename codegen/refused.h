#pragma once
// refused: proposes alternatives for words that authors know from other languages, for sentences of errors.
#include <string_view>

namespace snapgen::codegen {

// Returns the advice for an unsupported or mistaken keyword of JSON Schema; empty if there is none.
std::string_view keyword_advice(std::string_view keyword);

// Returns the JSON type for a name in other languages: integer for `int`. Empty if there is none.
std::string_view json_type_for(std::string_view name);

}  // namespace snapgen::codegen
