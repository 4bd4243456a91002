#pragma once
// Conversion of the path lists of clients to paths of the core.
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

// Converts each text to a path. Errors: as path_from_text(), for the first invalid path.
Result<std::vector<std::string>> paths_of_texts(const std::vector<std::string>& texts);
// Like paths_of_texts() above; nullopt becomes an empty list.
Result<std::vector<std::string>> paths_of_texts(const std::optional<std::vector<std::string>>& texts);

}  // namespace snapgen::core
