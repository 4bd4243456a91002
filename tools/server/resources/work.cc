// Resources with tasks and learnings.
#include "schemas/resources/learning_records.h"
#include "schemas/resources/task_records.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/files/path.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/server/resources/file_content.h"
#include "tools/work/memory/memory.h"
#include "tools/work/task/task_store.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t ended_max = 50;
constexpr std::size_t learnings_max = 200;

TaskRecordStatus task_status(const core::Task& task) {
  if (!task.outcome) return TaskRecordStatus::open;
  switch (*task.outcome) {
    case core::TaskOutcome::completed: return TaskRecordStatus::completed;
    case core::TaskOutcome::abandoned: return TaskRecordStatus::abandoned;
    case core::TaskOutcome::blocked: break;
  }
  return TaskRecordStatus::blocked;
}

TaskRecord task_record(const core::Task& task) {
  TaskRecord out;
  out.uri = mcp::expand_uri(task_uri, {{"task_id", task.id}});
  out.task_id = task.id;
  out.title = task.title;
  out.status = task_status(task);
  out.started_at = core::iso_time(task.started_ms);
  for (const std::string& path : task.files) out.files.emplace_back(core::text_of_path(path));
  out.keywords = task.keywords;
  out.snapshot_id = task.snapshot_id;
  if (task.outcome) out.ended_at = core::iso_time(task.ended_ms);
  if (task.changes) {
    out.changed_files = task.changes->file_count;
    out.added_lines = task.changes->added_lines;
    out.removed_lines = task.changes->removed_lines;
  }
  return out;
}

std::optional<std::string> unless_empty(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text;
}

Result<ResourceContent> read_tasks(App& app, const mcp::UriVariables&, const std::stop_token&) {
  core::Workspace* workspace = TRY(app.workspace());
  const core::TaskStore store(workspace->root().folder());
  TaskRecords out;
  for (const core::Task& task : store.open_tasks()) out.open.push_back(task_record(task));
  for (const core::Task& task : store.ended_tasks(ended_max)) out.ended.push_back(task_record(task));
  return json_content(out);
}

Result<ResourceContent> read_task(App& app, const mcp::UriVariables& variables, const std::stop_token&) {
  core::Workspace* workspace = TRY(app.workspace());
  core::Task task = TRY(core::TaskStore(workspace->root().folder()).find(variables.at("task_id")));
  return json_content(task_record(task));
}

Result<WatchedPaths> to_workspace_path(App& app, std::vector<std::string> paths) {
  core::Workspace* workspace = TRY(app.workspace());
  for (std::string& path : paths) path = workspace->root().folder() + "/.snapback/" + path;
  return WatchedPaths{.paths = std::move(paths)};
}

Result<WatchedPaths> watched_for_tasks(App& app, const mcp::UriVariables&) {
  return to_workspace_path(app, {"session/tasks", "session/summaries"});
}

Result<WatchedPaths> watched_for_task(App& app, const mcp::UriVariables& variables) {
  const std::string& id = variables.at("task_id");
  if (id.find('/') != std::string::npos) return WatchedPaths();
  return to_workspace_path(app, {"session/tasks/" + id + ".json", "session/summaries/" + id + ".json"});
}

Result<ResourceContent> read_learnings(App& app, const mcp::UriVariables&, const std::stop_token&) {
  core::LearningStore* memory = TRY(app.learning_store());
  std::vector<core::RecalledLearning> learnings = TRY(memory->latest_learnings(learnings_max));
  std::vector<core::ViolationCount> patterns = TRY(memory->promoted_violations({}));
  LearningRecords out;
  for (const core::RecalledLearning& each : learnings) {
    LearningRecord& one = out.learnings.emplace_back();
    one.id = each.learning.id;
    // The enumerators of both types have the same order.
    one.kind = static_cast<LearningRecordKind>(each.learning.kind);
    one.trigger = unless_empty(each.learning.trigger);
    one.action = each.learning.action;
    one.said = each.recorded_count;
    one.at = core::iso_time(each.learning.at_ms);
    one.task_id = unless_empty(each.learning.task_id);
  }
  for (const core::ViolationCount& each : patterns) {
    PatternRecord& one = out.patterns.emplace_back();
    one.type = each.type;
    one.count = each.count;
    one.description = unless_empty(each.description);
    one.prevention = unless_empty(each.prevention);
  }
  return json_content(out);
}

Result<WatchedPaths> watched_for_learnings(App& app, const mcp::UriVariables&) {
  return to_workspace_path(app, {"learnings/user-learnings.jsonl", "learnings/violations.jsonl"});
}

constexpr ResourceRoute work_route_table[] = {
    {.uri = tasks_uri,
     .name = "tasks",
     .title = "Tasks",
     .description = "Open and ended tasks, each with the snapshot that it started from.",
     .mime_type = json_type,
     .read = &read_tasks,
     .watched_paths = &watched_for_tasks},
    {.uri = learnings_uri,
     .name = "learnings",
     .title = "Learnings",
     .description = "Learnings from earlier work, and the most frequent violations.",
     .mime_type = json_type,
     .read = &read_learnings,
     .watched_paths = &watched_for_learnings},
    {.uri = task_uri,
     .name = "task",
     .title = "A task",
     .description = "One task: its description, when it began, and its outcome.",
     .mime_type = json_type,
     .read = &read_task,
     .watched_paths = &watched_for_task},
};

}  // namespace

std::span<const ResourceRoute> work_routes() { return work_route_table; }

}  // namespace snapgen::tools
