#pragma once
// Static checks: they read files and run no programs.
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/paths.h"
#include "tools/engine/store/snapshot_store.h"
#include "tools/insight/check/report.h"
#include "tools/work/memory/index.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::core {

class Workspace;

// The files that a check covers.
struct CheckScope {
  std::vector<std::string> paths;  // Files, sorted. A path without a file is a deleted or a wrong one.
  bool is_named = false;           // The call named the paths.
  // The task's first snapshot; null: there is no task, or the snapshot was deleted.
  std::shared_ptr<const Snapshot> before;
  std::vector<std::string> planned;  // The files that the task named, if the call named none.
};

// Returns the named files, and the listed files of the named folders. If none are named: the changes since
// the task (by default the latest open one) started, else the uncommitted files. `files`: as clients write
// paths. Errors: not_found (no such task); invalid_argument.
Result<CheckScope> scope_of(Workspace& workspace, const std::optional<std::string>& task_id,
                            const std::optional<std::vector<std::string>>& files,
                            const std::stop_token& stop);

// Checks that every named file exists, or existed in HEAD or when the task started; a check of a mistyped
// path would pass. Errors: not_found, with a suggestion; as Root::look() and files_of_commit().
Result<Unit> check_named(Workspace& workspace, const CheckScope& scope, const std::stop_token& stop);

// What to search files for.
struct FileParts {
  bool conflicts = false;  // Conflict markers; errors.
  bool patterns = false;   // Promoted violations that have a detector; errors if they are frequent.
  bool syntax = false;     // Syntax errors (insight/syntax/).
};

// Checks these files, and the listed files of these folders. Findings of patterns count as lint. Promoted
// violations without a detector are the report's reminder, and findings have the recorded preventions. The
// report lists how many files each part checked, and why it left out others.
Result<CheckReport> file_report(const WorkspaceServices& services, const std::vector<std::string>& paths,
                                const FileParts& parts, const std::stop_token& stop);
// As file_report(), for a text that may differ from the file's.
Result<CheckReport> file_report_in(const WorkspaceServices& services, const std::string& path,
                                   std::string_view text, const FileParts& parts);

// Names the promoted violations that have no detector: "2 reminders, not checked: use_utc: store times in
// UTC; small_commits." Empty: all have one.
std::string reminder_of(const std::vector<ViolationCount>& patterns);

// fail if there are errors; skipped if nothing was inspected.
CheckMark mark_of(const CheckReport& report, bool looked_at_something);

}  // namespace snapgen::core
