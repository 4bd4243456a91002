#pragma once
// The files of a work tree that listing and search see: existing tracked files, and untracked files that no
// rule ignores. Nested repositories and submodules are not entered; `.git` is never included.
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/file_stat.h"
#include "tools/engine/git/repository/repository.h"

namespace snapgen::core {

struct WorktreeFile {
  std::string path;
  bool is_symlink = false;  // Otherwise a regular file.
  bool is_tracked = false;
  bool is_hard_linked = false;  // The file has other hard links.
  FileStat stat;
};

// Why a path of the work tree is not in the listing.
enum class SkipReason : std::uint8_t {
  ignored,            // git ignores it; a folder is named as a whole.
  nested_repository,  // A repository or submodule, named as a whole.
  not_a_file,         // A FIFO, socket or device.
  unreadable,         // A folder that cannot be opened, or a name without a stat.
};

struct SkippedPath {
  std::string path;  // Without a trailing slash.
  SkipReason reason = SkipReason::ignored;
};

struct FileListing {
  std::vector<WorktreeFile> files;  // Sorted by the bytes of whole paths.
  std::vector<SkippedPath> skipped;
};

// Lists the files of the work tree. Errors: as read_status().
Result<FileListing> list_files(const Repository& repository, std::stop_token stop = {});

// Returns true if the index has an entry at `path`, below it, or for a file in place of one of its parents.
Result<bool> is_tracked(const Repository& repository, std::string_view path);

// Returns for each path (relative to the root) whether the status shows every change of the file there: the
// index has it merged, and not as assume-unchanged, skip-worktree or intent-to-add. A file that the status
// does not list then has HEAD's content. Errors: as read_status().
Result<std::vector<bool>> status_shows_changes(const Repository& repository,
                                               std::span<const std::string> paths,
                                               const std::stop_token& stop);

// Returns true if the index has `path`, or a file below it, but a sparse checkout omits it from the work
// tree.
Result<bool> is_not_checked_out(const Repository& repository, std::string_view path);

// Returns true if git would ignore `path` (relative to the root, no trailing slash) if it were untracked,
// like `git check-ignore --no-index`. An excluded parent folder decides for the paths below it.
Result<bool> is_ignored(const Repository& repository, std::string_view path, bool is_directory);

}  // namespace snapgen::core
