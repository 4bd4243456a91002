#pragma once
// inner: the direct subschemas of a schema, by the keywords of drafts 2020-12 and 7.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/document.h"

namespace snapgen::json {

// Whether `node` can be a schema: an object, true or false.
bool is_schema(const Node& node);

struct InnerSchema {
  std::string_view keyword;
  bool single = false;  // The keyword has a single schema without a name.
  std::string name;     // The property or definition; the index in a list.
  std::size_t name_offset = 0;
  const Node* node = nullptr;
};

// Returns subschemas in document order and skips nodes that cannot be schemas. They are valid as long as
// `schema`.
std::vector<InnerSchema> inner_schemas(const Node& schema);

}  // namespace snapgen::json
