#include "tools/work/task/task.h"

#include <array>

#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::array<std::string_view, 3> task_outcomes = {"completed", "abandoned", "blocked"};

std::string list_of(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& each : texts) list += (list.empty() ? "" : ",") + json::quoted(each);
  return "[" + list + "]";
}

}  // namespace

std::string_view text(TaskOutcome outcome) { return task_outcomes[static_cast<std::size_t>(outcome)]; }

std::string json_of(const Task& task) {
  std::vector<std::string> files;
  for (const std::string& each : task.files) files.push_back(text_of_path(each));
  std::string out = "{";
  if (task.outcome && task.changes)
    out += "\"added\":" + std::to_string(task.changes->added_lines) +
           ",\"changed\":" + std::to_string(task.changes->file_count) + ",";
  if (task.outcome) out += "\"ended_ms\":" + std::to_string(task.ended_ms) + ",";
  out += "\"files\":" + list_of(files) + ",\"id\":" + json::quoted(task.id) +
         ",\"keywords\":" + list_of(task.keywords);
  if (task.outcome) {
    out +=
        ",\"learnings\":" + list_of(task.learning_ids) + ",\"outcome\":" + json::quoted(text(*task.outcome));
    if (task.changes) out += ",\"removed\":" + std::to_string(task.changes->removed_lines);
  }
  if (!task.session.empty()) out += ",\"session\":" + json::quoted(task.session);
  out += ",\"snapshot\":" + json::quoted(task.snapshot_id) +
         ",\"started_ms\":" + std::to_string(task.started_ms);
  if (task.outcome && !task.survey.empty()) out += ",\"survey\":" + task.survey;
  return out + ",\"title\":" + json::quoted(task.title) + "}\n";
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
                     survey, "title", task.title);
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
