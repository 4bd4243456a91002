#pragma once
// integer: chooses the C++ integer type for a schema, and its limits.
#include <string>

#include "codegen/schema.h"

namespace snapgen::codegen {

struct IntegerRange {
  bool is_unsigned = false;  // std::uint64_t: no value is negative, and some exceed std::int64_t.
  bool fits = true;          // The type has allowed values, and can represent every listed one.
  // Literals of the smallest and largest allowed value; empty where the type's own limit is as strict.
  std::string minimum, maximum;
};

// `schema` must allow integers.
IntegerRange integer_range(const Schema& schema);

// The literal of an integer, or nullopt if the type cannot represent it.
std::optional<std::string> integer_literal(std::string_view token, bool is_unsigned);

}  // namespace snapgen::codegen
