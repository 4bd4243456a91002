#pragma once
// A file that a command writes for a person: it takes no other file's place unless that is said.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/app/app.h"

namespace snapgen::tools {

struct OutputFile {
  std::string path;    // As it was typed.
  bool force = false;  // Whether a file that is there is written anew.
};

// Whole, or not there at all. In the workspace the settings' rules of writing hold, and what no tool may
// write is not written either. Errors: invalid_argument (a folder); permission_denied (forbidden; it is there
// already; it is a symlink, a device or the like); unavailable.
Result<Unit> write_output(const App& app, const OutputFile& file, std::string_view bytes);

}  // namespace snapgen::tools
