#pragma once
// SiblingOpener caches the handle of the last folder, so that the next file in it is opened by its name
// alone. It is for sorted paths, one object per thread. It does not notice folders that move meanwhile; a
// caller that must know checks the whole paths afterwards.
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/fd.h"
#include "tools/engine/files/root.h"

namespace snapgen::core {

class SiblingOpener {
 public:
  explicit SiblingOpener(const Root& root) : root_(root) {}

  // Returns lstat(2) of `path`, or nullopt if that fails. Use it only to compare with an earlier stat:
  // symlinks at parents are followed, even out of the root.
  std::optional<FileStat> stat(const std::string& path);

  // Opens `path` for reading if no component is a symlink, without waiting for a FIFO's writer. If the result
  // is empty, the caller must try Root::open_file(). `path` must be followed by a NUL.
  Fd open(std::string_view path);

 private:
  // Returns a handle of the parent folder of `path`, or a negative number if it cannot be opened.
  int open_parent(std::string_view path, bool beneath);

  const Root& root_;
  std::string folder_;
  Fd fd_;
  bool is_symlink_free_ = false;  // fd_ was reached without symlinks.
};

}  // namespace snapgen::core
