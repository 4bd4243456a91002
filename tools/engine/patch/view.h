#pragma once
// PatchTarget is the tree that a patch is applied to: the work tree or a snapshot.
//
// Paths are relative to the root. Their parents are never symlinks, because plan_patch() checks every parent
// first.
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
  std::int64_t size = 0;  // The size of a file, in bytes.
};

class PatchTarget {
 public:
  virtual ~PatchTarget() = default;

  // Returns the node at `path`, without following it; missing below a file or a missing folder.
  virtual Result<TreeNode> node_at(std::string_view path) = 0;
  // Returns the bytes of a file, or the target of a symlink.
  virtual Result<std::string> read(std::string_view path) = 0;
  // Returns the names of the entries of a folder.
  virtual Result<std::vector<std::string>> names_in(std::string_view folder) = 0;
};

}  // namespace snapgen::core
