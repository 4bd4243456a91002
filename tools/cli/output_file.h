#pragma once
// Writes a file for a person, and never replaces another file unless requested.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/app/app.h"

namespace snapgen::tools {

struct OutputFile {
  std::string path;    // As typed.
  bool force = false;  // Replace an existing file.
};

// Writes the whole file or nothing. In the workspace the settings' write rules and the protected paths apply.
// Errors: invalid_argument (a folder); permission_denied (forbidden; it exists; it is a symlink, a device or
// the like); unavailable.
Result<Unit> write_output(const App& app, const OutputFile& file, std::string_view bytes);

}  // namespace snapgen::tools
