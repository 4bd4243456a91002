#pragma once
// subschemas() finds the schemas directly within a schema, by the keywords of drafts 2020-12 and 7.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/document.h"

namespace snapgen::json {

// Whether `node` can be a schema: an object, true or false.
bool can_be_schema(const Node& node);

struct Subschema {
  std::string_view keyword;
  bool single = false;  // The keyword has one schema, neither a list nor a map.
  std::string name;     // The key in a map; the index in a list.
  std::size_t name_offset = 0;
  const Node* node = nullptr;
};

// Returns the schemas in document order, without nodes that cannot be schemas. `schema` must outlive them.
std::vector<Subschema> subschemas(const Node& schema);

}  // namespace snapgen::json
