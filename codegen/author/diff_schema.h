#pragma once
// diff_schema: compares two published schemas: which values does only the newer or only the older one accept?
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/json/document.h"

namespace snapgen::codegen {

enum class ChangeEffect : std::uint8_t {
  narrower,            // Some values that were accepted may be rejected now.
  wider,               // More values are accepted, which may break a reader of the old schema.
  looser,              // Objects may have members that are not listed, which readers ignore.
  narrower_and_wider,  // The change is both narrower and wider.
  removed,             // A member of an object was removed.
  new_default,         // A value without the member means something else.
  annotated,           // Only annotations, such as descriptions, changed.
};

struct SchemaChange {
  ChangeEffect effect;
  std::string pointer;
  std::string sentence;
};

// Compares two schemas, which are canonical with every $ref inlined, as Publisher writes them. `pointer` is
// their location in their file.
std::vector<SchemaChange> compare_schemas(const json::Node& before, const json::Node& after,
                                          const std::string& pointer);

}  // namespace snapgen::codegen
