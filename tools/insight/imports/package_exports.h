#pragma once
// Reads `exports` and `imports` of a package.json.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/document.h"

namespace snapgen::core {

// Returns the paths that a map of package.json has for a name. A key of the map may contain one `*`, or end
// with a slash, which means all paths below.
std::vector<std::string> mapped_targets(const json::Node& map, std::string_view name);

// Returns the paths of the package that `exports` has for a path below the name of the package, which may be
// empty. Empty without `exports`.
std::vector<std::string> exported_targets(const json::Node& manifest, std::string_view subpath);

}  // namespace snapgen::core
