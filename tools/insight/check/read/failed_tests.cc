// Finds the message of a failed test in what a runner prints about it.
#include "tools/insight/check/read/failed_tests.h"

namespace snapgen::core {
namespace {

// Returns whether a stack trace or an excerpt of the code begins with this line.
bool is_after_message(std::string_view line) {
  return line.starts_with("at ") || line.starts_with("❯ ") || line.starts_with("> ");
}

// Returns whether the line has one of the compared values: "Expected: 3", "Received array: [1]".
bool is_compared_value(std::string_view line) {
  return (line.starts_with("Expected") || line.starts_with("Received")) && line.find(": ") < 40;
}

// Returns whether a diff of Node.js or Mocha begins with this line. Its other lines are equal values.
bool is_diff_heading(std::string_view line) {
  return line.starts_with("+ actual - expected") || line == "+ expected - actual";
}

bool is_changed_line(std::string_view line) {
  return (line.starts_with("+ ") || line.starts_with("- ")) && !is_diff_heading(line) &&
         !line.starts_with("- Expected") && !line.starts_with("+ Received");
}

}  // namespace

std::string_view joined_views(std::string_view part, std::string_view more) {
  if (part.empty()) return more;
  return {part.data(), static_cast<std::size_t>(more.data() + more.size() - part.data())};
}

std::string failure_message(std::string_view text) {
  std::string message;
  std::string_view line;
  while (message.empty() && next_line(text, line)) {
    line = trimmed(line);
    // Those that write a test know that its errors are assertions.
    if (!take_prefix(line, "AssertionError [ERR_ASSERTION]: ")) take_prefix(line, "Error: ");
    message = line;
    // Node adds this to the name of an error that it received from another process.
    if (const std::size_t mark = message.find("Error [Error]: "); mark != std::string::npos)
      message.erase(mark + 5, 8);
  }
  const bool is_introduction = message.ends_with(':');
  // A diff repeats the values of a message that has them: "expected { a: 1 } to deeply equal { a: 2 }".
  if (!is_introduction && message.find("expect(") == std::string::npos) return message;
  std::string values, changes;
  bool is_in_diff = false;
  while (next_line(text, line)) {
    line = trimmed(line);
    // Mocha's own diff follows that of the assertion.
    if (is_after_message(line) || (line == "+ expected - actual" && !changes.empty())) break;
    is_in_diff = is_in_diff || is_diff_heading(line);
    if (is_compared_value(line)) {
      values.append(values.empty() ? "" : ", ").append(line);
    } else if (is_changed_line(line)) {
      changes.append(changes.empty() ? "" : " ").append(line.substr(0, 2)).append(trimmed(line.substr(2)));
    } else if (is_introduction && !is_in_diff && !line.empty() && values.empty() && changes.empty() &&
               line.find_first_of("{}[]") != 0) {
      return message + " " + std::string(line);
    }
  }
  if (!values.empty()) return message + " (" + values + ")";
  return changes.empty() ? message : message + (is_introduction ? " " : ": ") + changes;
}

}  // namespace snapgen::core
