#pragma once
// Places: what a program printed as a path becomes a path from the root.
#include <string>
#include <string_view>

namespace snapgen::core {

struct Places {
  std::string root;    // The workspace's folder, absolute.
  std::string from;    // What relative paths are seen from, as a path from the root.
  std::string module;  // Of Go: how packages below `from` begin; or empty.

  // `printed` from the root; as it was printed if it leads out of it.
  std::string path(std::string_view printed) const;
};

}  // namespace snapgen::core
