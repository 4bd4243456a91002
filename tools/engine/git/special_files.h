#pragma once
// Detects special files (FIFOs, devices) in place of git's files. Opening a FIFO blocks until a writer opens
// it. Our own reads never block (disk.h), but git and libgit2 would, so their files are checked first.
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/oid.h"
#include "tools/engine/git/repository.h"

namespace snapgen::core::git {

// The error names the special file and says what to do. Its code is unavailable.
Error special_file_error(const std::string& path);

// Returns a special file among those that most git commands open, or an empty string. Costs microseconds.
std::string special_git_file(const std::string& git_dir, const Environment& environment);

// Returns a special file in the git folder, or among the `.git*` files of the work tree, or an empty string.
// Walks both, which takes as long as git's own walk.
std::string special_git_file_by_walk(const std::string& git_dir, const std::string& root);

// SpecialObjectFiles detects special files in an object database that libgit2 reads.
class SpecialObjectFiles {
 public:
  // `folder` is `<common dir>/objects`; its alternates (gitrepository-layout(5)) are read too.
  explicit SpecialObjectFiles(const std::string& folder);

  // Returns a special file that libgit2 would open to read this object, or an empty string.
  std::string special_file(const Oid& oid);

 private:
  struct Folder {
    std::string path;
    std::int64_t packs_changed_ns = -1;  // The mtime of `pack` when it was last read.
    std::string special_pack;
  };
  void add(const std::string& path, int depth);

  std::vector<Folder> folders_;
  std::string special_alternates_;
};

}  // namespace snapgen::core::git
