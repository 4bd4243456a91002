#pragma once
// Checks that run nothing: they look at files.
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/paths.h"
#include "tools/engine/store/snapshot_store.h"
#include "tools/insight/check/report.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::core {

class Workspace;

// What a check is about.
struct CheckScope {
  std::vector<std::string> paths;  // Sorted.
  bool is_named = false;           // By the call.
  // What the task began with; null: there is no task, or that snapshot was swept away.
  std::shared_ptr<const Snapshot> before;
};

// The files that were named; else what changed since the task, or without one the newest open task, began;
// else what is uncommitted. `files`: as clients write paths. Errors: not_found (no such task);
// invalid_argument.
Result<CheckScope> scope_of(Workspace& workspace, const std::optional<std::string>& task_id,
                            const std::optional<std::vector<std::string>>& files,
                            const std::stop_token& stop);

// Whether every file that was named stands there, or did in HEAD or when the task began: a check of a name
// that is none would pass. Errors: not_found, with what may have been meant; as Root::look() and
// files_of_commit().
Result<Unit> check_named(Workspace& workspace, const CheckScope& scope, const std::stop_token& stop);

// Whether what a merge left behind is looked for as well.
enum class Conflicts : bool { left_out, too };

// Promoted violations that can be recognised, in these files and the listed ones in these folders; they count
// as lint, which is skipped where there was no file or nothing to look for. An error is what is to be looked
// for by a program, and a conflict.
Result<CheckReport> pattern_report(const WorkspaceServices& services, const std::vector<std::string>& paths,
                                   Conflicts conflicts, const std::stop_token& stop);
// The same in a text that need not be the file's.
Result<CheckReport> pattern_report_in(const WorkspaceServices& services, const std::string& path,
                                      std::string_view text);

// Fails by an error; nothing was looked at: skipped.
CheckMark judged(const CheckReport& report, bool looked_at_something);

}  // namespace snapgen::core
