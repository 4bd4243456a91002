#pragma once
// The records of `.snapback/learnings/` and their form: one JSON object per line.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

enum class LearningKind : std::uint8_t { pattern, pitfall, efficiency, discovery, workflow };
std::string_view text(LearningKind kind);

struct Learning {
  std::string id;  // learn_ + 8 of [a-z2-7], a hash of the content: equal content has an equal id.
  LearningKind kind = LearningKind::discovery;
  std::string trigger;  // May be empty.
  std::string action;
  std::vector<std::string> files;  // Files of the task that it is from.
  std::vector<std::string> keywords;
  std::string task_id;     // Or empty.
  std::int64_t at_ms = 0;  // Milliseconds since 1970.
};

struct Violation {
  std::string type;
  std::string file;  // Or empty.
  std::string description;
  std::string prevention;  // Or empty.
  std::string task_id;     // Or empty.
  std::int64_t at_ms = 0;
};

// A file that was restored.
struct Revert {
  std::string file;
  std::string snapshot_id;
  std::int64_t at_ms = 0;
  bool removed = false;  // The restore deleted it: it was created after the snapshot.
};

// The id of a learning, a hash of its content regardless of white space and case.
std::string learning_id(const Learning& learning);

std::string json_line(const Learning& learning);
std::string json_line(const Violation& violation);
std::string json_line(const Revert& revert);

// Returns nullopt if the line is not such a record. Unknown members are ignored.
std::optional<Learning> learning_of(std::string_view line);
std::optional<Violation> violation_of(std::string_view line);
std::optional<Revert> revert_of(std::string_view line);

}  // namespace snapgen::core
