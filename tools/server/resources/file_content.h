#pragma once
// Reads a file of a view as the content of a resource.
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/json/values.h"
#include "tools/engine/read/view.h"
#include "tools/server/resources/route.h"

namespace snapgen::tools {

// `path` has the form of paths in tool arguments. Errors: invalid_argument (invalid path; larger than
// resource_bytes_max), and those of FileView::open().
Result<ResourceContent> file_content(core::FileView& view, std::string_view path);

// Makes the content of a resource from a generated struct, as JSON.
template <class T>
ResourceContent json_content(const T& value) {
  return {.bytes = json::to_json(value), .mime_type = std::string(json_type)};
}

}  // namespace snapgen::tools
