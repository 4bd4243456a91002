#pragma once
// Parents: the folders that files are written into, opened without following a symlink.
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"

namespace snapgen::core {

// Remembers the folder that was opened last, for what is written next is mostly there too. Of one thread.
class Parents {
 public:
  explicit Parents(const Root& root) : root_(root) {}

  // The folder above `path`; its handle is valid until the next call. Errors: not_found (it, or what is above
  // it, is not a folder); permission_denied (reserved; beyond a symlink; forbidden by the system).
  Result<int> above(std::string_view path);

  void forget() { opened_.reset(); }  // Folders were made or dropped.

 private:
  const Root& root_;
  std::optional<Opened> opened_;
};

// What stands at `name` in a folder; none: nothing. Errors: unavailable, permission_denied.
Result<std::optional<FileStat>> stat_at(int folder, const std::string& name, std::string_view path);

}  // namespace snapgen::core
