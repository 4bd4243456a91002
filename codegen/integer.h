#pragma once
// integer: which type of C++ holds the integers that a schema allows, and what of it they are.
#include <string>

#include "codegen/schema.h"

namespace snapgen::codegen {

struct IntegerRange {
  bool is_unsigned = false;  // std::uint64_t: none is negative, and some are beyond std::int64_t.
  bool fits = true;  // Some value of the type is allowed, and every one that is listed is of the type.
  // Literals of the least and the greatest that are allowed; empty where the type itself ends there or
  // before.
  std::string minimum, maximum;
};

// Of a schema that allows integers.
IntegerRange integer_range(const Schema& schema);

// The literal of an integer, if the type has it.
std::optional<std::string> integer_literal(std::string_view token, bool is_unsigned);

}  // namespace snapgen::codegen
