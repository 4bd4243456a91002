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

struct Task {
  std::string id;  // task_ + 8 of [a-z2-7]
  std::string title;
  std::vector<std::string> files;  // Paths relative to the root.
  std::vector<std::string> keywords;
  std::string snapshot_id;  // The work tree at the start of the task.
  std::int64_t started_ms = 0;
  // Set when the task ended.
  std::optional<TaskOutcome> outcome;
  std::int64_t ended_ms = 0;
  std::int64_t changed_files = 0;
  std::int64_t added_lines = 0;
  std::int64_t removed_lines = 0;
  std::vector<std::string> learning_ids;
  std::string survey;  // A canonical JSON object, or empty.
};

// Serializes a task as a JSON object. task_of() returns nullopt if the text is no such object.
std::string json_of(const Task& task);
std::optional<Task> task_of(std::string_view text);

}  // namespace snapgen::core
