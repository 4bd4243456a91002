#pragma once
// PatchView: the tree that a patch is applied to, as it stands. The work tree and a snapshot are two of them.
//
// Paths are relative to the root, their parents are never symlinks: plan() looks at every parent first.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

struct TreeNode {
  enum class Kind : std::uint8_t { missing, file, symlink, folder, other };
  Kind kind = Kind::missing;
  bool executable = false;
  std::int64_t size = 0;  // Of a file, in bytes.
};

class PatchView {
 public:
  virtual ~PatchView() = default;

  // What stands at `path`, itself not followed. Below a file or a missing folder nothing stands.
  virtual Result<TreeNode> look(std::string_view path) = 0;
  // The bytes of a file, or the target of a symlink.
  virtual Result<std::string> read(std::string_view path) = 0;
  // The names in a folder.
  virtual Result<std::vector<std::string>> names_in(std::string_view folder) = 0;
};

}  // namespace snapgen::core
