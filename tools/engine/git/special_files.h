#pragma once
// Special files (FIFOs, devices) in the place of files that git keeps. Opening a FIFO waits for a
// writer, forever if none comes. Our own reads never wait (disk.h), but the git program and libgit2 do; so
// what they are about to open is checked before.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/oid.h"
#include "tools/engine/git/repository.h"

namespace snapgen::core::git {

// The error for a special file: which one, and what to do. The code is unavailable.
Error special_file_error(const std::string& path);

// A special file among those that the git program opens for nearly every question; empty if there is none.
// Costs microseconds.
std::string special_git_file(const std::string& git_dir, const Environment& environment);

// A special file among all those in the git folder, and among the `.git*` files of the work tree; empty if
// there is none. Walks both, which takes as long as git's own walk.
std::string any_special_git_file(const std::string& git_dir, const std::string& root);

// The same for an object database that libgit2 reads.
class ObjectFolders {
 public:
  // `folder`: `<common dir>/objects`; its alternates (gitrepository-layout(5)) are found by this.
  explicit ObjectFolders(const std::string& folder);

  // A special file that libgit2 would open when it is asked for this object; empty if there is none.
  std::string special_file(const Oid& oid);

 private:
  struct Folder {
    std::string path;
    std::int64_t packs_changed_ns = -1;  // When a file was last added to `pack`, as of the last look.
    std::string special_pack;
  };
  void add(const std::string& path, int depth);

  std::vector<Folder> folders_;
  std::string special_alternates_;
};

}  // namespace snapgen::core::git
