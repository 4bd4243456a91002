#pragma once
// Reads a file of a view as the content of a resource.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/read/view.h"
#include "tools/server/resources/route.h"

namespace snapgen::tools {

// `path` has the form of paths in tool arguments. Errors: invalid_argument (invalid path; larger than
// resource_bytes_max), and those of FileView::open().
Result<ResourceContent> file_content(core::FileView& view, std::string_view path);

}  // namespace snapgen::tools
