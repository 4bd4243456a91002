#include "tools/work/task/task.h"

#include <array>

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

std::vector<std::string> texts_of(json::Reader& in) {
  std::vector<std::string> found;
  if (in.begin_array())
    while (in.next_element()) in.string(found.emplace_back());
  return found;
}

}  // namespace

std::string_view text(TaskOutcome outcome) { return task_outcomes[static_cast<std::size_t>(outcome)]; }

std::string json_of(const Task& task) {
  std::vector<std::string> files;
  for (const std::string& each : task.files) files.push_back(text_of_path(each));
  std::string out = "{";
  if (task.outcome) {
    out += "\"added\":" + std::to_string(task.added_lines) +
           ",\"changed\":" + std::to_string(task.changed_files) +
           ",\"ended_ms\":" + std::to_string(task.ended_ms) + ",";
  }
  out += "\"files\":" + list_of(files) + ",\"id\":" + json::quoted(task.id) +
         ",\"keywords\":" + list_of(task.keywords);
  if (task.outcome) {
    out += ",\"learnings\":" + list_of(task.learning_ids) +
           ",\"outcome\":" + json::quoted(text(*task.outcome)) +
           ",\"removed\":" + std::to_string(task.removed_lines);
  }
  out += ",\"snapshot\":" + json::quoted(task.snapshot_id) +
         ",\"started_ms\":" + std::to_string(task.started_ms);
  if (task.outcome && !task.survey.empty()) out += ",\"survey\":" + task.survey;
  return out + ",\"title\":" + json::quoted(task.title) + "}\n";
}

std::optional<Task> task_of(std::string_view bytes) {
  if (!json::valid_utf8(bytes)) return std::nullopt;
  json::Reader in(bytes);
  Task task;
  std::string outcome;
  std::vector<std::string> files;
  if (!in.begin_object()) return std::nullopt;
  std::string_view key;
  while (in.next_key(key)) {
    if (key == "added")
      in.integer(task.added_lines);
    else if (key == "changed")
      in.integer(task.changed_files);
    else if (key == "ended_ms")
      in.integer(task.ended_ms);
    else if (key == "files")
      files = texts_of(in);
    else if (key == "id")
      in.string(task.id);
    else if (key == "keywords")
      task.keywords = texts_of(in);
    else if (key == "learnings")
      task.learning_ids = texts_of(in);
    else if (key == "outcome")
      in.string(outcome);
    else if (key == "removed")
      in.integer(task.removed_lines);
    else if (key == "snapshot")
      in.string(task.snapshot_id);
    else if (key == "started_ms")
      in.integer(task.started_ms);
    else if (key == "survey")
      in.raw(task.survey);
    else if (key == "title")
      in.string(task.title);
    else
      in.skip();
  }
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
