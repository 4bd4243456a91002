#pragma once
// Places: converts printed paths to paths relative to the root.
#include <string>
#include <string_view>

namespace snapgen::core {

struct Places {
  std::string root;    // The workspace's folder, absolute.
  std::string from;    // The base of relative paths, relative to the root.
  std::string module;  // Go: the import path of the module in `from`; or empty.

  // Returns `printed` relative to the root, or unchanged if it is outside of it.
  std::string path(std::string_view printed) const;
};

}  // namespace snapgen::core
