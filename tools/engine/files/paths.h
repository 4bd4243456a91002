#pragma once
// Conversion of the path lists of clients to paths of the core.
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

// Errors: as path_from_text(), for the first invalid path.
Result<std::vector<std::string>> paths_of_texts(const std::vector<std::string>& texts);
// Returns an empty list for nullopt.
Result<std::vector<std::string>> paths_of_texts(const std::optional<std::vector<std::string>>& texts);

}  // namespace snapgen::core
