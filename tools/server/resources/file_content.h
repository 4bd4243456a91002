#pragma once
// The content of a resource that is a file of a view.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/read/view.h"
#include "tools/server/resources/route.h"

namespace snapgen::tools {

// `path`: as in tool arguments. Errors: invalid_argument (invalid path; larger than resource_bytes_max), and
// those of View::open().
Result<ResourceContent> file_content(core::View& view, std::string_view path);

}  // namespace snapgen::tools
