#pragma once
// Target: where a path that a client names really stands, for writing there.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"

namespace snapgen::core {

struct Target {
  std::string path;                // Every symlink on the way replaced by its target.
  std::vector<std::string> links;  // The symlinks that were followed, each where it really stands.
};

// `follow_last`: a symlink at the path itself is followed to the file that it leads to. Folders on the way
// may be missing. Errors: permission_denied (outside, reserved); invalid_argument (a file on the way, the
// root itself); not_found (a symlink that leads nowhere).
Result<Target> find_target(const Root& root, std::string_view path, bool follow_last);

}  // namespace snapgen::core
