#pragma once
// Siblings: the folder of the last path asked for, kept open, so that the next file of the same folder is
// opened, or looked at, by its name alone: the kernel does not walk the whole path again. For going through
// sorted paths, one object per thread. What is moved in the meantime is seen as it was; who needs to know
// looks at the whole paths afterwards.
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/fd.h"
#include "tools/engine/files/root.h"

namespace snapgen::core {

class Siblings {
 public:
  explicit Siblings(const Root& root) : root_(root) {}

  // What stands at `path` itself, as lstat(2) tells; none if there is nothing, or it cannot be told. For
  // comparing with an earlier stat alone: symlinks on the way are followed, out of the root too.
  std::optional<FileStat> stat(const std::string& path);

  // Opens for reading what stands at `path` itself, if nothing on the way is a symlink, without waiting for a
  // FIFO's writer. An Fd that is empty says only that Root::open_file() has to be asked.
  // A NUL stands behind `path`.
  Fd open(std::string_view path);

 private:
  // A handle of the folder that `path` stands in; below zero if it cannot be had.
  int folder_of(std::string_view path, bool beneath);

  const Root& root_;
  std::string folder_;
  Fd fd_;
  bool beneath_ = false;  // fd_ was reached without symlinks.
};

}  // namespace snapgen::core
