#pragma once
// What a path that is not there was probably meant to be.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/read/view.h"

namespace snapgen::core {

// Of an error not_found of `path`, the same with a proposal: a file of this name that stands elsewhere, or
// what has nearly this name in the same folder. Every other error, and one without a proposal, as it is.
Error proposing_nearest_path(View& view, std::string_view path, Error error);

}  // namespace snapgen::core
