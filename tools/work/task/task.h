#pragma once
// Task: a piece of work that somebody began, and perhaps ended; and how it stands on disk.
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
  std::vector<std::string> files;  // Paths within the workspace, as the core has them.
  std::vector<std::string> keywords;
  std::string snapshot_id;  // What the work tree was when it began.
  std::int64_t started_ms = 0;
  // Of one that ended.
  std::optional<TaskOutcome> outcome;
  std::int64_t ended_ms = 0;
  std::int64_t changed_files = 0;
  std::int64_t added_lines = 0;
  std::int64_t removed_lines = 0;
  std::vector<std::string> learning_ids;
  std::string survey;  // A canonical JSON object, or empty.
};

// A JSON object. `task_of`: none if the text is no such object.
std::string json_of(const Task& task);
std::optional<Task> task_of(std::string_view text);

}  // namespace snapgen::core
