#pragma once
// inner: the schemas directly inside one, by the keywords of drafts 2020-12 and 7 that hold schemas.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/document.h"

namespace snapgen::json {

// Whether a schema may stand there: an object, true or false.
bool is_schema(const Node& node);

struct InnerSchema {
  std::string_view keyword;
  bool single = false;  // The keyword holds one schema, which has no name.
  std::string name;     // Of a property or definition; the index in a list.
  std::size_t name_offset = 0;
  const Node* node = nullptr;
};

// In document order. What should be a schema and can't be one is not among them. They live as long as
// `schema`.
std::vector<InnerSchema> inner_schemas(const Node& schema);

}  // namespace snapgen::json
