#pragma once
// Writes a file for the user, and replaces another file only if that was requested.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/app/app.h"

namespace snapgen::tools {

struct OutputFile {
  std::string path;    // The path as the user typed it.
  bool force = false;  // True to replace an existing file.
};

// Writes the whole file or nothing. In the workspace, the write rules of the settings and the protected paths
// apply. Errors: invalid_argument (a folder); permission_denied (forbidden; it exists; it is a symlink, a
// device or the like); unavailable.
Result<Unit> write_output(const App& app, const OutputFile& file, std::string_view bytes);

}  // namespace snapgen::tools
