#pragma once
// Ends a task and records its result and learnings.
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/restore.h"
#include "tools/work/task/task.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::core {

struct TaskEnding {
  TaskOutcome outcome = TaskOutcome::completed;
  std::vector<std::string> learnings;
  std::string survey;  // The answers of a survey, as a canonical JSON object, or empty.
};

inline constexpr std::string_view changes_uncounted_sentence =
    "Its changes were not counted, because its snapshot is deleted or damaged.";

struct EndedTask {
  Task task;
  bool truncated = false;                        // Some files were too large or too many to count.
  std::vector<std::string> nested_repositories;  // As nested_repositories_in_status().
  std::vector<std::string> unmerged;             // As unmerged_files().
  std::vector<std::string> unreadable;           // As WorkSummary::unreadable.
  std::vector<std::string> ignored;              // As ignored_files_not_in(), of the files of the task.
};

// Ends an open task, by default the current one. Errors: as TaskStore::find_open_task();
// work_summary_since(), LearningStore::record_learning() and TaskStore::end().
Result<EndedTask> end_task(const WorkspaceServices& services, const std::optional<std::string>& id,
                           const TaskEnding& ending, const std::stop_token& stop);

// Records the files that a restore changed; they count in later measurements of risk. Errors: as
// LearningStore::record().
Result<Unit> record_restore(const WorkspaceServices& services, const RestoreAnswer& restored,
                            const std::string& snapshot_id);

}  // namespace snapgen::core
