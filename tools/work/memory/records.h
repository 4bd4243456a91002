#pragma once
// What is remembered, and how it stands in the files of `.snapback/learnings/`: a JSON object a line.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

enum class LearningKind : std::uint8_t { pattern, pitfall, efficiency, discovery, workflow };
std::string_view text(LearningKind kind);

struct Learning {
  std::string id;  // learn_ + 8 of [a-z2-7], by what it says: saying the same again gives the same id.
  LearningKind kind = LearningKind::discovery;
  std::string trigger;  // May be empty.
  std::string action;
  std::vector<std::string> files;  // Of the task that it comes from.
  std::vector<std::string> keywords;
  std::string task_id;     // Or empty.
  std::int64_t at_ms = 0;  // Since 1970.
};

struct Violation {
  std::string type;
  std::string file;  // Or empty.
  std::string description;
  std::string prevention;  // Or empty.
  std::string task_id;     // Or empty.
  std::int64_t at_ms = 0;
};

// A file that had to be put back.
struct Revert {
  std::string file;
  std::string snapshot_id;
  std::int64_t at_ms = 0;
  bool removed = false;  // It had come since the snapshot, and went away.
};

// The id that follows from what a learning says, whatever its white space and capitals.
std::string learning_id(const Learning& learning);

std::string json_line(const Learning& learning);
std::string json_line(const Violation& violation);
std::string json_line(const Revert& revert);

// None: the line is not one of ours. Members that are not known are passed over.
std::optional<Learning> learning_of(std::string_view line);
std::optional<Violation> violation_of(std::string_view line);
std::optional<Revert> revert_of(std::string_view line);

}  // namespace snapgen::core
