#pragma once
// Suggests the intended path when a path does not exist.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/read/view.h"

namespace snapgen::core {

// Returns the paths that may be meant by `path`, which does not exist, at most three: the same path in other
// letter case, or else a similar name in the same folder, or else a file with this name elsewhere. Empty if
// there is none, or the view cannot be listed.
std::vector<std::string> similar_paths(FileView& view, std::string_view path);

// Returns for example "did you mean a.py or b/a.py?".
std::string did_you_mean(const std::vector<std::string>& paths);

// Adds a suggestion to a not_found error of `path`: a file with this name elsewhere, or a similar name in the
// same folder. Returns other errors, and those without a suggestion, unchanged.
Error with_suggested_path(FileView& view, std::string_view path, Error error);

}  // namespace snapgen::core
