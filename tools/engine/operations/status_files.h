#pragma once
// The files that `git status` names: uncommitted and unmerged ones.
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/status/fingerprint.h"

namespace snapgen::core {

class Workspace;

// The workspace's files that `git status` names, sorted; files in untracked folders are listed individually.
// Includes deleted files, the old paths of renames, and submodules. Errors: as Workspace::status() and
// files().
Result<std::vector<std::string>> dirty_files(Workspace& workspace, const std::stop_token& stop);
// Like dirty_files() above, for a status that is known already.
Result<std::vector<std::string>> dirty_files(Workspace& workspace, const GitStatus& status,
                                             const std::stop_token& stop);

// The paths, with folders replaced by the listed files in them and by the deleted files that the status names
// there, also if the folder itself is deleted; sorted, each once. Another path without a file remains.
// Errors: as Workspace::files().
Result<std::vector<std::string>> with_folders_expanded(Workspace& workspace, const GitStatus& status,
                                                       const std::vector<std::string>& paths,
                                                       const std::stop_token& stop);

// The files whose merge is not resolved in git's index, sorted.
std::vector<std::string> unmerged_files(const Workspace& workspace, const GitStatus& status);
// Returns "2 files are unmerged: a.ts, b.ts."; empty without any.
std::string unmerged_sentence(const std::vector<std::string>& paths);

// Whether git's index has several versions of the file, because a merge is not resolved.
bool is_unmerged(const StatusEntry& entry);

// Whether the status names the file `path`: as changed, new, deleted, or the source of a rename.
bool is_in_status(const Workspace& workspace, const GitStatus& status, std::string_view path);

}  // namespace snapgen::core
