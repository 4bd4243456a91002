#pragma once
// ParentFolders: the folders that files are written into, opened without following symlinks.
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"

namespace snapgen::core {

// Caches the last opened folder, because consecutive writes are mostly in the same folder. For one thread.
class ParentFolders {
 public:
  explicit ParentFolders(const Root& root) : root_(root) {}

  // Opens the folder above `path`; the descriptor is valid until the next call. Errors: not_found (the folder
  // or one above it is not a folder); permission_denied (reserved; below a symlink; denied by the system).
  Result<int> open_parent_of(std::string_view path);

  void close_opened() { opened_.reset(); }  // Called after folders were created or removed.

 private:
  const Root& root_;
  std::optional<OpenedPath> opened_;
};

// The stat of `name` in a folder; nullopt if it does not exist. Errors: unavailable, permission_denied.
Result<std::optional<FileStat>> stat_at(int folder, const std::string& name, std::string_view path);

}  // namespace snapgen::core
