#pragma once
// refused: words that authors know from elsewhere, and what is written here. For sentences about faults.
#include <string_view>

namespace snapgen::codegen {

// Of a keyword that JSON Schema has, or had, or that is taken for one, and that is not supported; else empty.
std::string_view instead_of(std::string_view keyword);

// What other languages call a type: `int` is integer. Empty if they do not.
std::string_view foreign_type(std::string_view name);

}  // namespace snapgen::codegen
