#pragma once
// What `git diff` compares: the tracked files of the work tree with those of HEAD or of the index, as far as
// they may differ. Files that nothing suggests a change of are not read.
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/files.h"
#include "tools/engine/git/repository.h"
#include "tools/engine/git/tree.h"

namespace snapgen::core {

enum class GitBase : std::uint8_t { head, index };

struct TrackedChange {
  enum class Now : std::uint8_t {
    missing,
    indexed,    // As the index has it.
    on_disk,    // It must be read, and cleaned, to tell.
    submodule,  // Another commit is checked out in it, or it has changes of its own.
  };

  std::string path;  // relative to the repository's root
  GitFile before;    // In the base. Of an unmerged path: "ours".
  Now now = Now::missing;
  GitFile after;  // Of `on_disk` without its oid; of `submodule` with the commit's.
  bool submodule_dirty = false;
  bool unmerged = false;
};

class TrackedDiff {
 public:
  // An unborn HEAD has no files. Errors: as read_status(); invalid_argument where there is no git.
  static Result<TrackedDiff> read(const Repository& repository, GitBase base, std::stop_token stop = {});
  TrackedDiff(TrackedDiff&&) noexcept;
  ~TrackedDiff();

  // Why only git can tell; empty: it is settled. If it is not, there are no changes.
  const std::string& doubt() const { return doubt_; }
  const std::vector<TrackedChange>& changes() const { return changes_; }  // sorted by path
  const std::vector<std::string>& untracked() const {
    return untracked_;
  }  // files that no rule hides; sorted
  const std::vector<SkippedPath>& skipped() const { return skipped_; }  // as a listing has them
  bool tracks(std::string_view path) const;                             // the file, or something below it

  // The bytes of a file as git would store them.
  Result<std::string> cleaned(std::string_view path, std::string bytes) const;
  // What the attribute `diff` says: binary, text, or nothing.
  Result<std::optional<bool>> says_binary(std::string_view path) const;

 private:
  struct Parts;
  explicit TrackedDiff(std::unique_ptr<Parts> parts);
  Result<Unit> add_staged(std::stop_token stop);
  Result<Unit> add_unstaged(std::stop_token stop);
  void add_unmerged();
  Result<Unit> look_for_doubt();

  std::unique_ptr<Parts> parts_;
  std::string doubt_;
  std::vector<TrackedChange> changes_;
  std::vector<std::string> untracked_;
  std::vector<SkippedPath> skipped_;
};

}  // namespace snapgen::core
