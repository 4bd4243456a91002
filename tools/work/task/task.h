#pragma once
// Task: a unit of work with a start and an end, and its form on disk.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

enum class TaskOutcome : std::uint8_t { completed, abandoned, blocked };
std::string_view text(TaskOutcome outcome);

// What changed between the start and the end of a task.
struct TaskChanges {
  std::int64_t file_count = 0;
  std::int64_t added_lines = 0;
  std::int64_t removed_lines = 0;

  bool operator==(const TaskChanges&) const = default;
};

struct Task {
  std::string id;  // The id: "task_" and 8 characters of [a-z2-7].
  std::string title;
  // Paths relative to the root: the files that the task named, or when it has ended, some that it changed.
  std::vector<std::string> files;
  std::vector<std::string> keywords;
  std::string snapshot_id;  // The snapshot of the work tree at the start of the task.
  std::int64_t started_ms = 0;
  std::string session;  // The session that began it; empty in files of earlier versions.
  std::string tree;     // The work tree in which it began, by name; empty in files of earlier versions.
  // These members are set when the task ends.
  std::optional<TaskOutcome> outcome;
  std::int64_t ended_ms = 0;
  std::optional<TaskChanges> changes;  // nullopt if its snapshot was deleted, so nothing could be counted.
  std::vector<std::string> learning_ids;
  std::string survey;  // The survey as a canonical JSON object, or empty.
};

// json_of() serializes a task as a JSON object. parse_task() returns nullopt if the text is not such an
// object.
std::string json_of(const Task& task);
std::optional<Task> parse_task(std::string_view text);

}  // namespace snapgen::core
