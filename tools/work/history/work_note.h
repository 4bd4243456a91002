#pragma once
// CheckNote and RiskNote: results of checks, and measured risk, as lines of `.snapback/logs/work.jsonl`. Only
// the history (history.h) reads them; no tool result depends on them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tools/insight/check/report.h"
#include "tools/insight/risk/measure.h"

namespace snapgen::core {

std::string_view text(RiskLevel level);    // Returns "low", "medium" or "high".
std::string_view text(CheckMark outcome);  // Returns "skipped", "pass" or "fail".

struct CheckNote {
  std::int64_t at_ms = 0;  // Milliseconds since 1970.
  std::string mode;        // The mode of the check, such as "full", "quick" or "comprehensive".
  std::string task_id;     // The id of the current task, or empty.
  CheckMark outcome = CheckMark::pass;
  std::int64_t errors = 0;
  std::int64_t warnings = 0;
  TestCounts tests;
};

struct RiskNote {
  std::int64_t at_ms = 0;
  std::string task_id;  // The id of the current task, or empty.
  RiskLevel level = RiskLevel::low;
  std::int64_t points = 0;
  std::int64_t dirty = 0;       // Number of uncommitted files.
  std::int64_t protection = 0;  // Percentage of files that can be restored.
};

// Makes the note of a finished report. A check without errors has the outcome `pass` if any part of it ran.
CheckNote check_note(const CheckReport& report, std::string_view mode, std::string task_id);

// Each returns a JSON object without line breaks.
std::string json_line(const CheckNote& note);
std::string json_line(const RiskNote& note);

// Each returns nullopt if the line is not a note of this type. Unknown members are ignored.
std::optional<CheckNote> parse_check_note(std::string_view line);
std::optional<RiskNote> parse_risk_note(std::string_view line);

}  // namespace snapgen::core
