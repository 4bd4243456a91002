#pragma once
// The state of a piece of work: its uncommitted files, and the amount of changes since a snapshot.
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/snapshot_store.h"

namespace snapgen::core {

class Workspace;

// The workspace's files that `git status` names, sorted; files in untracked folders are listed individually.
// Includes deleted files, the old paths of renames, and submodules. Errors: as Workspace::status() and
// files().
Result<std::vector<std::string>> dirty_files(Workspace& workspace, const std::stop_token& stop);
// Like dirty_files() above, for a status that is known already.
Result<std::vector<std::string>> dirty_files(Workspace& workspace, const GitStatus& status,
                                             const std::stop_token& stop);

// The paths, with folders replaced by the listed files in them; sorted, each once. A path without a file
// remains. Errors: as Workspace::files().
Result<std::vector<std::string>> with_folders_expanded(Workspace& workspace,
                                                       const std::vector<std::string>& paths,
                                                       const std::stop_token& stop);

// How many of `paths` have a current content that can be restored: it is HEAD's, or a snapshot has it at this
// path. Missing files do not count, and files of a nested repository only if a snapshot has them. Files
// larger than current_contents_bytes_max that are not committed count as covered only if their content is
// known without a read.
struct Protection {
  std::int64_t file_count = 0;
  std::int64_t covered_count = 0;
  std::vector<std::string> uncovered;  // Some of the files that are not covered, and can be read.
  // The files that are not covered and cannot be read, so no new snapshot can contain them.
  std::vector<std::string> unreadable;
  std::vector<std::string>
      nested_repositories;  // As nested_repositories_in_status(), and those that have a file of `paths`.
  std::int64_t submodule_count = 0;  // How many nested repositories are in `paths`, or have files in it.

  // The number of files and submodules, of which percent() is the covered part.
  std::int64_t count() const { return file_count + submodule_count; }
  // The covered part of count() in percent; 100 if count() is 0.
  std::int64_t percent() const { return count() == 0 ? 100 : covered_count * 100 / count(); }
  // The number of files that a new snapshot would cover.
  std::int64_t uncovered_count() const {
    return file_count - covered_count - static_cast<std::int64_t>(unreadable.size());
  }
};
// The protection of `paths`. Errors: as are_contents_in_snapshots().
Result<Protection> protection_of(Workspace& workspace, const GitStatus& status,
                                 const std::vector<std::string>& paths, const std::stop_token& stop);

// The submodules and other repositories in the workspace that `git status` names, sorted. Snapshots and
// checks omit their files, unless these are named. Errors: as Workspace::files().
Result<std::vector<std::string>> nested_repositories_in_status(Workspace& workspace, const GitStatus& status,
                                                               const std::stop_token& stop);
// Like nested_repositories_in_status() above, for the current status. Errors: also as Workspace::status().
Result<std::vector<std::string>> nested_repositories_in_status(Workspace& workspace,
                                                               const std::stop_token& stop);
// The nested repositories that are at, below or above one of these folders, sorted. Errors: as
// Workspace::files().
Result<std::vector<std::string>> nested_repositories_related_to(Workspace& workspace,
                                                                const std::vector<std::string>& paths,
                                                                const std::stop_token& stop);
// Returns "The nested repository vendor/sub is omitted from checks and snapshots, except files that you
// name."; empty without any.
std::string nested_repositories_sentence(const std::vector<std::string>& nested);
// Returns "1 file cannot be read, and was not compared: a.txt."; empty without any.
std::string unreadable_sentence(const std::vector<std::string>& paths);

// The files whose merge is not resolved in git's index, sorted.
std::vector<std::string> unmerged_files(const Workspace& workspace, const GitStatus& status);
// Returns "2 files are unmerged: a.ts, b.ts."; empty without any.
std::string unmerged_sentence(const std::vector<std::string>& paths);

// Whether git's index has several versions of the file, because a merge is not resolved.
bool is_unmerged(const StatusEntry& entry);

// Whether the status names the file `path`: as changed, new, deleted, or the source of a rename.
bool is_in_status(const Workspace& workspace, const GitStatus& status, std::string_view path);

// Returns those of `files` that exist, that git ignores, and that the snapshot does not have.
std::vector<std::string> ignored_files_not_in(Workspace& workspace, const Snapshot& snapshot,
                                              const std::vector<std::string>& files);
// Returns "The ignored file .env is not in the snapshot."; empty if there are none.
std::string ignored_sentence(const std::vector<std::string>& files);

struct WorkSummary {
  std::vector<std::string> files;  // The differing files, sorted.
  std::int64_t added_lines = 0;    // Number of added lines.
  std::int64_t removed_lines = 0;
  bool truncated = false;               // A limit was reached; the counts are incomplete.
  std::vector<std::string> unreadable;  // Files that were not compared, because they cannot be read.
};
// The changes from the snapshot to the work tree. Errors: as diff_live_with_snapshot().
Result<WorkSummary> work_summary_since(Workspace& workspace, const Snapshot& before,
                                       const std::stop_token& stop);

}  // namespace snapgen::core
