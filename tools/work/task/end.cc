#include "tools/work/task/end.h"

#include <algorithm>
#include <memory>

#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/ignored_files.h"
#include "tools/engine/operations/nested_repositories.h"
#include "tools/engine/operations/status_files.h"
#include "tools/engine/operations/work_summary.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/work/memory/memory.h"
#include "tools/work/task/task_store.h"

namespace snapgen::core {
namespace {

constexpr std::size_t files_kept_max = 50;
constexpr std::size_t reverts_max = 200;

// Counts what changed since the task began, in its own work tree. Returns the changed files.
Result<std::vector<std::string>> count_changes(Workspace& workspace, EndedTask& ended,
                                               const std::stop_token& stop) {
  Task& task = ended.task;
  std::vector<std::string> changed;
  // The task can be ended without its snapshot, but its changes cannot be counted.
  Result<std::shared_ptr<const Snapshot>> snapshot = snapshots_of(workspace).load(task.snapshot_id);
  if (snapshot) {
    WorkSummary work = TRY(work_summary_since(workspace, **snapshot, stop));
    task.changes = TaskChanges{.file_count = static_cast<std::int64_t>(work.files.size()),
                               .added_lines = work.added_lines,
                               .removed_lines = work.removed_lines};
    ended.truncated = work.truncated;
    ended.unreadable = std::move(work.unreadable);
    ended.ignored = ignored_files_not_in(workspace, **snapshot, task.files);
    changed = std::move(work.files);
    if (changed.size() > files_kept_max) changed.resize(files_kept_max);
  }
  const GitStatus status = TRY(status_of(workspace, stop));
  ended.nested_repositories = TRY(nested_repositories_in_status(workspace, status, stop));
  ended.unmerged = unmerged_files(workspace, status);
  return changed;
}

}  // namespace

std::string TaskWorkspace::sentence() const {
  if (other_tree.empty()) return {};
  return "It is a task of the work tree " + path_in_sentence(other_tree) +
         (workspace == nullptr ? ", which no longer exists." : ".");
}

TaskWorkspace workspace_of_task(Workspace& workspace, const Task& task) {
  TaskWorkspace found{.other_tree = TaskStore(record_folders_of(workspace)).other_tree_of(task)};
  if (found.other_tree.empty()) {
    found.workspace = &workspace;
    return found;
  }
  Result<std::shared_ptr<Workspace>> other = open_other_tree(workspace, found.other_tree);
  if (other) found.owned = *std::move(other);
  found.workspace = found.owned.get();
  return found;
}

std::string changes_uncounted_sentence(const TaskWorkspace& of_task) {
  return of_task.workspace == nullptr
             ? "Its changes were not counted."
             : "Its changes were not counted, because its snapshot is deleted or damaged.";
}

Result<EndedTask> end_task(const WorkspaceServices& services, const std::optional<std::string>& id,
                           const TaskEnding& ending, const std::stop_token& stop) {
  Workspace& workspace = services.workspace;
  const TaskStore tasks(record_folders_of(workspace));
  Task found = TRY(tasks.find_open_task(id));
  const TaskWorkspace of_task = workspace_of_task(workspace, found);
  EndedTask ended{.task = std::move(found)};
  Task& task = ended.task;
  std::vector<std::string> changed;
  if (of_task.workspace != nullptr) changed = TRY(count_changes(*of_task.workspace, ended, stop));
  ended.remarks = of_task.sentence();
  if (!task.changes)
    ended.remarks += (ended.remarks.empty() ? "" : " ") + changes_uncounted_sentence(of_task);
  // The named files are what the learnings are about, even if the task did not change them.
  std::vector<std::string> concerned = std::move(task.files);
  for (const std::string& each : changed)
    if (concerned.size() < files_kept_max &&
        std::find(concerned.begin(), concerned.end(), each) == concerned.end())
      concerned.push_back(each);
  task.files = std::move(changed);
  task.outcome = ending.outcome;
  task.ended_ms = now_of(workspace) / 1'000'000;
  task.survey = ending.survey;
  for (const std::string& each : ending.learnings) {
    Learning learning{.kind = LearningKind::discovery,
                      .trigger = task.title,
                      .action = each,
                      .files = concerned,
                      .keywords = task.keywords,
                      .task_id = task.id,
                      .at_ms = task.ended_ms};
    RecordedLearning recorded = TRY(services.learning_store.record_learning(std::move(learning)));
    // A repeated learning has the id of the first.
    if (std::find(task.learning_ids.begin(), task.learning_ids.end(), recorded.learning.id) ==
        task.learning_ids.end())
      task.learning_ids.push_back(std::move(recorded.learning.id));
  }
  TRY(tasks.mark_ended(task));
  return ended;
}

Result<Unit> record_restore(const WorkspaceServices& services, const RestoreAnswer& restored,
                            const std::string& snapshot_id) {
  std::vector<Revert> reverts;
  for (const RestoredPath& each : restored.changes) {
    if (reverts.size() == reverts_max) break;
    reverts.push_back({.file = each.path,
                       .snapshot_id = snapshot_id,
                       .at_ms = now_of(services.workspace) / 1'000'000,
                       .was_deleted = each.kind == RestoredPath::Kind::deleted});
  }
  return services.learning_store.record(reverts);
}

}  // namespace snapgen::core
