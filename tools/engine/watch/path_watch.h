#pragma once
// PathWatch: tells when any of a few files or folders may have changed. Their folders are watched, and those
// above up to a root, so that what is made, moved or replaced on the way is noticed too.
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
  // `paths`: absolute, each a file, a folder whose own entries count, or nothing so far. `roots`: absolute
  // folders; of a path below none of them nothing is told. Errors: unavailable.
  static Result<PathWatch> open(const std::vector<std::string>& roots, std::vector<std::string> paths);

  // Readable when there is something to ask for.
  int fd() const { return watches_.fd(); }

  // The paths that may have changed since it was asked last, in the order in which they were given.
  std::vector<std::string> changed();

 private:
  PathWatch(std::vector<std::string> paths, std::set<std::string> folders, FolderWatches watches)
      : paths_(std::move(paths)), folders_(std::move(folders)), watches_(std::move(watches)) {}
  void watch_folders();

  std::vector<std::string> paths_;  // Without the first slash, as all here.
  std::set<std::string> folders_;   // To be watched, where they are there. A folder comes before those in it.
  FolderWatches watches_;
};

}  // namespace snapgen::core
