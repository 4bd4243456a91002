#pragma once
// PathWatch reports which of a few files or folders may have changed. It watches their folders and the
// parents up to a root, so it detects creations, moves and replacements on the path too.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/watch/folder_watches.h"

namespace snapgen::core {

// Not thread-safe.
class PathWatch {
 public:
  // Watches `paths`, which are absolute: files, folders whose own entries matter, or paths that do not exist
  // yet. `roots` are absolute folders; paths outside all of them are not watched. Errors: unavailable.
  static Result<PathWatch> open(const std::vector<std::string>& roots, std::vector<std::string> paths);

  // The descriptor is readable when take_changed_paths() may have a result.
  int fd() const { return watches_.fd(); }

  // Returns the paths that may have changed since the last call, in their original order.
  std::vector<std::string> take_changed_paths();

 private:
  PathWatch(std::vector<std::string> paths, std::set<std::string> folders, FolderWatches watches)
      : paths_(std::move(paths)), folders_(std::move(folders)), watches_(std::move(watches)) {}
  void watch_folders();

  std::vector<std::string> paths_;  // Without the leading slash, like all paths here.
  std::set<std::string> folders_;   // The folders to watch if they exist; parents come first.
  FolderWatches watches_;
};

}  // namespace snapgen::core
