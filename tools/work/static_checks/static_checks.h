#pragma once
// Static checks: they read files and run no programs.
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/path.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/insight/check/report.h"
#include "tools/work/memory/index.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::core {

class Workspace;

// The files that a check covers.
struct CheckScope {
  // The files, sorted. One that does not exist was deleted, or its path is wrong.
  std::vector<std::string> paths;
  bool is_named = false;  // True if the arguments of the call name the paths.
  // The snapshot at the start of the task. Null if there is no task, or the snapshot was deleted.
  std::shared_ptr<const Snapshot> start_snapshot;
  std::optional<std::int64_t> task_began_ms = {};  // Set if there is a start_snapshot.
  std::vector<std::string> planned_files;  // The files that the task named. Empty if the call named files.
  // The nested repositories that are at, below or above a named folder, sorted. The check omits them.
  std::vector<std::string> nested_repositories = {};
  std::vector<std::string> unmerged = {};  // The unmerged files, unless the call names files.
};

// Returns the named files, and the listed files of the named folders. If none are named, returns the changes
// since the task started (by default the current one) and the unmerged files, or without a task the
// uncommitted files. `files` has the paths as clients write them. Errors: not_found (no such task);
// invalid_argument.
Result<CheckScope> check_scope_of(Workspace& workspace, const std::optional<std::string>& task_id,
                                  const std::optional<std::vector<std::string>>& files,
                                  const std::stop_token& stop);

// Checks that every named file exists, or existed in HEAD or when the task started. Without this, a check of
// a mistyped path would pass. Errors: not_found, with a suggestion; as Root::lstat() and files_of_commit().
Result<Unit> check_named_files_exist(Workspace& workspace, const CheckScope& scope,
                                     const std::stop_token& stop);

// Selects the problems that a check searches for in files.
struct SelectedFileChecks {
  bool conflicts = false;  // Conflict markers, which are errors.
  bool patterns = false;   // Promoted violations that have a detector. Frequent ones are errors.
  bool syntax = false;     // Syntax errors, see insight/syntax/.
};

// Checks these files, and the listed files of these folders. Findings of patterns count as lint. The report's
// reminder lists promoted violations (memory.h) that have no detector. A finding has the prevention that was
// recorded with its violation. The
// report lists how many files each tool checked, and why others were left out.
Result<CheckReport> check_files(const WorkspaceServices& services, const std::vector<std::string>& paths,
                                const SelectedFileChecks& parts, const std::stop_token& stop);
// Does as check_files(), for a text that may differ from the content of the file.
Result<CheckReport> text_check_report(const WorkspaceServices& services, const std::string& path,
                                      std::string_view text, const SelectedFileChecks& parts,
                                      const std::stop_token& stop);

// Returns the promoted violations that have no detector: "2 reminders, not checked: use_utc: store times in
// UTC; small_commits." Empty if all have one.
std::string reminder_of(const std::vector<ViolationCount>& patterns);

// Returns fail if there are errors, else skipped if nothing was inspected, else pass.
CheckMark mark_of(const CheckReport& report, bool inspected_something);

class LearningStore;

// How a record matches a finding.
enum class RecordedBy : std::uint8_t {
  code,  // The record is a violation of this type, or a learning that names the code.
  file,  // The record is a violation in the file, or a learning about it.
};

// Sets the prevention of the findings that have none. If the memory is unavailable, it changes nothing.
void add_preventions(LearningStore& memory, CheckReport& report, RecordedBy by);

}  // namespace snapgen::core
