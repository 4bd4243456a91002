#pragma once
// OutputPathResolver: converts printed paths to paths relative to the root.
#include <string>
#include <string_view>

namespace snapgen::core {

struct OutputPathResolver {
  std::string root;         // The absolute path of the workspace's folder.
  std::string base_folder;  // The folder, relative to the root, against which printed relative paths resolve.
  std::string module;       // The import path of the Go module in `base_folder`; or empty.

  // Returns `printed` relative to the root, or unchanged if it is outside of it.
  std::string resolve(std::string_view printed) const;
};

}  // namespace snapgen::core
