#pragma once
// Checks the files that git or libgit2 is about to read. Opening a FIFO blocks until a writer opens it, and a
// sparse file of gigabytes, which takes a few bytes in an archive, fills the memory. Our own reads never
// block and are limited (disk.h), but those of git and libgit2 are not.
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/oid.h"
#include "tools/engine/git/repository/repository.h"

namespace snapgen::core::git {

// Errors of all checks: unavailable. The sentence names the file and says what to do.

// Checks the files that most git commands open. Costs microseconds.
Result<Unit> check_git_files(const std::string& git_dir, const Environment& environment);

// Checks for special files in the git folder, and the `.git*` files of the work tree. Walks both, which takes
// as long as git's own walk.
Result<Unit> check_git_files_by_walk(const std::string& git_dir, const std::string& root);

// ObjectFileChecks checks the files of an object database that libgit2 reads.
class ObjectFileChecks {
 public:
  // `folder` is `<common dir>/objects`; its alternates (gitrepository-layout(5)) are read too.
  explicit ObjectFileChecks(const std::string& folder);

  // Checks the files that libgit2 would open to read this object.
  Result<Unit> check(const Oid& oid);

 private:
  struct Folder {
    std::string path;
    std::int64_t packs_changed_ns = -1;   // The mtime of `pack` when it was last checked.
    std::optional<Error> packs_unusable;  // The result of that check.
  };
  void add(const std::string& path, int depth);

  std::vector<Folder> folders_;
  std::optional<Error> alternates_unusable_;
};

}  // namespace snapgen::core::git
