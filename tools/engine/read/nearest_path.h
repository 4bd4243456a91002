#pragma once
// Suggests the intended path when a path does not exist.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/read/view.h"

namespace snapgen::core {

// Adds a suggestion to a not_found error of `path`: a file with this name elsewhere, or a similar name in the
// same folder. Returns other errors, and those without a suggestion, unchanged.
Error with_suggested_path(FileView& view, std::string_view path, Error error);

}  // namespace snapgen::core
