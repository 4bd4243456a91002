#pragma once
// Ends a task and records its result and learnings.
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/restore.h"
#include "tools/work/task/task.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::core {

class Workspace;

struct TaskEnding {
  TaskOutcome outcome = TaskOutcome::completed;
  std::vector<std::string> learnings;
  std::string survey;  // The answers of a survey, as a canonical JSON object, or empty.
};

// The workspace in which a task began.
struct TaskWorkspace {
  std::string other_tree;            // The name of its work tree, if it is not the caller's; else empty.
  Workspace* workspace = nullptr;    // nullptr: the other work tree no longer exists.
  std::shared_ptr<Workspace> owned;  // The other work tree.

  // "It is a task of the work tree side." and whether that no longer exists; empty for the caller's tree.
  std::string sentence() const;
};

// Opens the workspace of a task.
TaskWorkspace workspace_of_task(Workspace& workspace, const Task& task);

// Returns why the changes of a task were not counted.
std::string changes_uncounted_sentence(const TaskWorkspace& of_task);

struct EndedTask {
  Task task;
  // What the answer says of the task's work tree, if that is not the caller's, and of changes that could not
  // be counted; may be empty.
  std::string remarks;
  bool truncated = false;                        // Some files were too large or too many to count.
  std::vector<std::string> nested_repositories;  // As nested_repositories_in_status().
  std::vector<std::string> unmerged;             // As unmerged_files().
  std::vector<std::string> unreadable;           // As WorkSummary::unreadable.
  std::vector<std::string> ignored;              // As ignored_files_not_in(), of the files of the task.
};

// Ends an open task of any work tree, by default the current one. Its changes are counted in its own work
// tree. Errors: as TaskStore::find_open_task(); work_summary_since(), LearningStore::record_learning() and
// TaskStore::end().
Result<EndedTask> end_task(const WorkspaceServices& services, const std::optional<std::string>& id,
                           const TaskEnding& ending, const std::stop_token& stop);

// Records the files that a restore changed; they count in later measurements of risk. Errors: as
// LearningStore::record().
Result<Unit> record_restore(const WorkspaceServices& services, const RestoreAnswer& restored,
                            const std::string& snapshot_id);

}  // namespace snapgen::core
