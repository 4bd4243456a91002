#pragma once
// A file of a view as a resource.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/read/view.h"
#include "tools/server/resources/route.h"

namespace snapgen::tools {

// `path`: as tools take it. Errors: invalid_argument (no such path; larger than resource_bytes_max), and
// those of View::open().
Result<ResourceContent> file_content(core::View& view, std::string_view path);

}  // namespace snapgen::tools
