#pragma once
// Paths as clients write them, as the core has them.
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

// Errors: as path_from_text(), for the first that is none.
Result<std::vector<std::string>> paths_of_texts(const std::vector<std::string>& texts);
// None: no paths.
Result<std::vector<std::string>> paths_of_texts(const std::optional<std::vector<std::string>>& texts);

}  // namespace snapgen::core
