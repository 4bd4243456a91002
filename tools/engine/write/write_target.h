#pragma once
// WriteTarget: the real path of a path that a client names for writing.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"

namespace snapgen::core {

struct WriteTarget {
  std::string path;                            // The real path: all symlinks are resolved.
  std::vector<std::string> followed_symlinks;  // The real paths of the symlinks that were followed.
};

// Finds the real path of `path`. `follow_last`: also follow a symlink at the path itself. Parent folders may
// be missing. Errors: permission_denied (outside, reserved); invalid_argument (a file on the way, or the root
// itself); not_found (a dangling symlink).
Result<WriteTarget> find_write_target(const Root& root, std::string_view path, bool follow_last);

}  // namespace snapgen::core
