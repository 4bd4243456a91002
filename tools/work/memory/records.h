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
  std::string id;  // The id: "learn_" and 8 characters of [a-z2-7]. Equal content has an equal id.
  LearningKind kind = LearningKind::discovery;
  std::string trigger;  // The situation in which it applies; may be empty.
  std::string action;
  std::vector<std::string> files;  // Files of the task in which it was learned.
  std::vector<std::string> keywords;
  std::string task_id;     // The task in which it was learned; may be empty.
  std::string tree;        // The work tree in which it was learned, by name; may be empty.
  std::int64_t at_ms = 0;  // Milliseconds since 1970.
};

struct Violation {
  std::string type;
  std::string file;  // The file in which the rule was broken; may be empty.
  std::string description;
  std::string prevention;  // How to prevent it; may be empty.
  std::string task_id;     // The task during which it happened; may be empty.
  std::string tree;        // The work tree in which it happened, by name; may be empty.
  std::int64_t at_ms = 0;
};

// A file that a restore wrote or deleted.
struct Revert {
  std::string file;
  std::string snapshot_id;
  std::string tree;  // The work tree that was restored, by name; may be empty.
  std::int64_t at_ms = 0;
  bool was_deleted = false;  // The restore deleted the file, because it was created after the snapshot.
};

// A learning that is withdrawn, by its id, or all violations of a type. What is recorded later is valid
// again.
struct Withdrawal {
  std::string of;
  std::int64_t at_ms = 0;
};

// Returns the id of a learning: a hash of its content, regardless of white space and case.
std::string learning_id(const Learning& learning);

std::string json_line(const Learning& learning);
std::string json_line(const Violation& violation);
std::string json_line(const Revert& revert);
std::string json_line(const Withdrawal& withdrawal);

// Each returns nullopt if the line is not a record of this type. Unknown members are ignored.
std::optional<Learning> parse_learning(std::string_view line);
std::optional<Violation> parse_violation(std::string_view line);
std::optional<Revert> parse_revert(std::string_view line);
std::optional<Withdrawal> parse_withdrawal(std::string_view line);

// Replaces likely secrets in the texts of a record (redact.h). Returns whether there were any.
bool redact_texts(Learning& learning);
bool redact_texts(Violation& violation);

// Return a line of the three files in the form in which json_line() writes it, without likely secrets;
// nullopt if it is no record.
std::optional<std::string> normalized_learning_line(std::string_view line);
std::optional<std::string> normalized_violation_line(std::string_view line);
std::optional<std::string> normalized_revert_line(std::string_view line);

}  // namespace snapgen::core
