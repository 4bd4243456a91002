#pragma once
// The tracked files that may differ between the work tree and HEAD or the index, as `git diff` compares them.
// Files whose stat shows no change are not read.
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/repository.h"
#include "tools/engine/git/repository/tree.h"
#include "tools/engine/git/walk/files.h"

namespace snapgen::core {

enum class GitBase : std::uint8_t { head, index };

struct TrackedChange {
  enum class AfterState : std::uint8_t {
    missing,
    indexed,    // Unchanged from the index.
    on_disk,    // Must be read and cleaned to compare it.
    submodule,  // Has another commit checked out, or is dirty.
  };

  std::string path;  // Relative to the repository's root.
  GitFile before;    // In the base; for an unmerged path, "ours".
  AfterState after_state = AfterState::missing;
  GitFile after;  // `on_disk` has no oid; `submodule` has the commit's.
  bool submodule_dirty = false;
  bool unmerged = false;
};

class TrackedDiff {
 public:
  // Compares the work tree with the base; an unborn HEAD has no files. Errors: as read_status();
  // invalid_argument without git.
  static Result<TrackedDiff> read(const Repository& repository, GitBase base, std::stop_token stop = {});
  TrackedDiff(TrackedDiff&&) noexcept;
  ~TrackedDiff();

  // Why the git program must decide; empty if it need not. If not empty, there are no changes.
  const std::string& fallback_reason() const { return fallback_reason_; }
  const std::vector<TrackedChange>& changes() const { return changes_; }  // Sorted by path.
  // The untracked files that no rule ignores, sorted.
  const std::vector<std::string>& untracked() const { return untracked_; }
  const std::vector<SkippedPath>& skipped() const { return skipped_; }  // Like FileListing::skipped.
  bool tracks(std::string_view path) const;  // True for a file and for a folder above one.

  // Converts a file's bytes to those that git would store.
  Result<std::string> cleaned_content(std::string_view path, std::string bytes) const;
  // Returns the attribute `diff`: binary, text, or nullopt.
  Result<std::optional<bool>> binary_attribute(std::string_view path) const;

 private:
  struct Parts;
  explicit TrackedDiff(std::unique_ptr<Parts> parts);
  Result<Unit> add_staged(std::stop_token stop);
  Result<Unit> add_unstaged(std::stop_token stop);
  void add_unmerged();
  Result<Unit> set_fallback_reason();

  std::unique_ptr<Parts> parts_;
  std::string fallback_reason_;
  std::vector<TrackedChange> changes_;
  std::vector<std::string> untracked_;
  std::vector<SkippedPath> skipped_;
};

}  // namespace snapgen::core
