#include "tools/work/task/task.h"

#include <array>

#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::array<std::string_view, 3> task_outcomes = {"completed", "abandoned", "blocked"};

}  // namespace

std::string_view text(TaskOutcome outcome) { return task_outcomes[static_cast<std::size_t>(outcome)]; }

std::string json_of(const Task& task) {
  JsonObject out;
  if (task.outcome && task.changes)
    out.add("added", task.changes->added_lines).add("changed", task.changes->file_count);
  if (task.outcome) out.add("ended_ms", task.ended_ms);
  out.add_json("files", json_list(task.files, text_of_path))
      .add("id", task.id)
      .add("keywords", task.keywords);
  if (task.outcome) {
    out.add("learnings", task.learning_ids).add("outcome", text(*task.outcome));
    if (task.changes) out.add("removed", task.changes->removed_lines);
  }
  out.add_if_any("session", task.session)
      .add("snapshot", task.snapshot_id)
      .add("started_ms", task.started_ms);
  if (task.outcome && !task.survey.empty()) out.add_json("survey", task.survey);
  return out.add("title", task.title).add_if_any("tree", task.tree).finish() + "\n";
}

std::optional<Task> parse_task(std::string_view bytes) {
  if (!json::valid_utf8(bytes)) return std::nullopt;
  json::Reader in(bytes);
  Task task;
  std::string outcome;
  std::vector<std::string> files;
  std::string_view survey;
  TaskChanges changes{.file_count = -1};
  json::read_members(in, "added", changes.added_lines, "changed", changes.file_count, "ended_ms",
                     task.ended_ms, "files", files, "id", task.id, "keywords", task.keywords, "learnings",
                     task.learning_ids, "outcome", outcome, "removed", changes.removed_lines, "session",
                     task.session, "snapshot", task.snapshot_id, "started_ms", task.started_ms, "survey",
                     survey, "title", task.title, "tree", task.tree);
  if (changes.file_count >= 0) task.changes = changes;
  task.survey = survey;
  in.end();
  if (!in.ok() || task.id.empty() || task.snapshot_id.empty()) return std::nullopt;
  for (const std::string& each : files) {
    Result<std::string> path = path_from_text(each);
    if (path) task.files.push_back(*std::move(path));
  }
  for (std::size_t i = 0; i < task_outcomes.size(); ++i)
    if (task_outcomes[i] == outcome) task.outcome = static_cast<TaskOutcome>(i);
  return task;
}

}  // namespace snapgen::core
