#pragma once
// diff_schema: compares two published schemas: which values only the newer or only the older one accepts.
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/json/document.h"

namespace snapgen::codegen {

enum class ChangeEffect : std::uint8_t {
  narrower,   // Some accepted values may be rejected now.
  wider,      // Accepts more values, which may break a reader of the old schema.
  looser,     // Accepts more values, which readers of the old schema can handle.
  both,       // Both narrower and wider.
  removed,    // A member was removed.
  annotated,  // Only annotations changed.
};

struct SchemaChange {
  ChangeEffect effect;
  std::string pointer;
  std::string sentence;
};

// Both are canonical with every $ref inlined, as Publisher writes them. `pointer`: where they are in their
// file.
std::vector<SchemaChange> compare_schemas(const json::Node& before, const json::Node& after,
                                          const std::string& pointer);

}  // namespace snapgen::codegen
