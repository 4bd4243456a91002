// Resources with tasks and learnings.
#include "runtime/base/enum_cast.h"
#include "schemas/resources/learning_records.h"
#include "schemas/resources/task_records.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/files/path.h"
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

std::optional<std::string> unless_empty(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text;
}

TaskRecord task_record(const core::TaskStore& store, const core::Task& task) {
  TaskRecord out;
  out.uri = mcp::expand_uri(task_uri, {{"task_id", task.id}});
  out.task_id = task.id;
  out.title = task.title;
  out.status = task_status(task);
  out.started_at = core::iso_time(task.started_ms);
  for (const std::string& path : task.files) out.files.emplace_back(core::text_of_path(path));
  out.keywords = task.keywords;
  out.snapshot_id = task.snapshot_id;
  out.work_tree = unless_empty(store.other_tree_of(task));
  if (task.outcome) out.ended_at = core::iso_time(task.ended_ms);
  if (task.changes) {
    out.changed_files = task.changes->file_count;
    out.added_lines = task.changes->added_lines;
    out.removed_lines = task.changes->removed_lines;
  }
  return out;
}

Result<ResourceContent> read_tasks(App& app, const mcp::UriVariables&, const std::stop_token&) {
  core::Workspace* workspace = TRY(app.workspace());
  const core::TaskStore store(core::record_folders_of(*workspace));
  TaskRecords out;
  for (const core::Task& task : store.all_open_tasks()) out.open.push_back(task_record(store, task));
  for (const core::Task& task : store.ended_tasks(ended_max)) out.ended.push_back(task_record(store, task));
  return json_content(out);
}

Result<ResourceContent> read_task(App& app, const mcp::UriVariables& variables, const std::stop_token&) {
  core::Workspace* workspace = TRY(app.workspace());
  const core::TaskStore store(core::record_folders_of(*workspace));
  core::Task task = TRY(store.find(variables.at("task_id")));
  return json_content(task_record(store, task));
}

// Returns the paths of records, and of their copies in `copies` of the work tree.
Result<WatchedPaths> record_paths(App& app, std::string_view copies, const std::vector<std::string>& names) {
  core::Workspace* workspace = TRY(app.workspace());
  const core::RecordFolders folders = core::record_folders_of(*workspace);
  WatchedPaths watched;
  for (const std::string& name : names) {
    watched.paths.push_back(folders.records + "/" + name);
    watched.paths.push_back((folders.root + "/.snapback/").append(copies).append(name));
  }
  return watched;
}

Result<WatchedPaths> watched_for_tasks(App& app, const mcp::UriVariables&) {
  return record_paths(app, "session/", {"tasks", "summaries"});
}

Result<WatchedPaths> watched_for_task(App& app, const mcp::UriVariables& variables) {
  const std::string& id = variables.at("task_id");
  if (id.find('/') != std::string::npos) return WatchedPaths();
  return record_paths(app, "session/", {"tasks/" + id + ".json", "summaries/" + id + ".json"});
}

Result<ResourceContent> read_learnings(App& app, const mcp::UriVariables&, const std::stop_token&) {
  core::LearningStore* memory = TRY(app.learning_store());
  std::vector<core::RecalledLearning> learnings = TRY(memory->latest_learnings(learnings_max));
  std::vector<core::ViolationCount> patterns = TRY(memory->promoted_violations({}));
  LearningRecords out;
  for (const core::RecalledLearning& each : learnings) {
    LearningRecord& one = out.learnings.emplace_back();
    one.id = each.learning.id;
    one.kind = enum_cast<LearningRecordKind>(each.learning.kind);
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
  return record_paths(app, {}, {"learnings/user-learnings.jsonl", "learnings/violations.jsonl"});
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
