#pragma once
// WorkNote: what a check came to, and how risky the work was, as lines of `.snapback/logs/work.jsonl`. They
// are for people who look back (history.h); nothing that is answered depends on them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tools/insight/check/report.h"
#include "tools/insight/risk/measure.h"

namespace snapgen::core {

std::string_view text(RiskLevel level);    // "low", "medium", "high"
std::string_view text(CheckMark outcome);  // "skipped", "pass", "fail"

struct CheckNote {
  std::int64_t at_ms = 0;  // Since 1970.
  std::string mode;        // "full", "quick", "comprehensive", ...
  std::string task_id;     // Of the open task that began last; or empty.
  CheckMark outcome = CheckMark::pass;
  std::int64_t errors = 0;
  std::int64_t warnings = 0;
  TestCounts tests;
};

struct RiskNote {
  std::int64_t at_ms = 0;
  std::string task_id;  // Or empty.
  RiskLevel level = RiskLevel::low;
  std::int64_t points = 0;
  std::int64_t dirty = 0;       // Uncommitted files.
  std::int64_t protection = 0;  // Percent.
};

// Of a report that is whole. A check has passed that found no error where it ran or looked.
CheckNote check_note(const CheckReport& report, std::string_view mode, std::string task_id);

// A JSON object without line breaks.
std::string json_line(const CheckNote& note);
std::string json_line(const RiskNote& note);

// None: the line is not one of these. Members that are not known are passed over.
std::optional<CheckNote> check_note_of(std::string_view line);
std::optional<RiskNote> risk_note_of(std::string_view line);

}  // namespace snapgen::core
