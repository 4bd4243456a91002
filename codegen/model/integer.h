#pragma once
// integer: chooses the C++ integer type for a schema, and the limits that a reader checks.
#include <string>

#include "codegen/front/schema.h"

namespace snapgen::codegen {

struct IntegerRange {
  // The type is std::uint64_t, because no value is negative, and some exceed std::int64_t.
  bool is_unsigned = false;
  // There are allowed values, and the type can represent every one that the schema lists.
  bool is_representable = true;
  // Literals of the smallest and the largest allowed value; empty if the type's own limit is as strict.
  std::string minimum, maximum;
};

// Returns the type and limits for a schema that allows integers.
IntegerRange integer_range(const Schema& schema);

// Returns the literal of an integer, or nullopt if the type cannot represent it.
std::optional<std::string> integer_literal(std::string_view token, bool is_unsigned);

}  // namespace snapgen::codegen
