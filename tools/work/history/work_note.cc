#include "tools/work/history/work_note.h"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/utc.h"

namespace snapgen::core {
namespace {

constexpr std::array<std::string_view, 3> levels = {"low", "medium", "high"};
constexpr std::array<std::string_view, 3> check_outcomes = {"skipped", "pass", "fail"};

// Returns the first members of a line.
JsonObject begun_line(std::int64_t at_ms, std::string_view event) {
  JsonObject line;
  line.add("at", iso_time(at_ms)).add("event", event);
  return line;
}

// The members of a line of work.jsonl, either of a check or of a measured risk.
struct WorkMembers {
  std::string at, event, task_id, mode, outcome, level;
  std::int64_t errors = 0, warnings = 0, points = 0, dirty = 0, protection = 0;
  TestCounts tests;
};

std::optional<WorkMembers> members_of(std::string_view line, std::string_view event) {
  if (!json::valid_utf8(line)) return std::nullopt;
  json::Reader in(line);
  WorkMembers found;
  const auto tests = [&](json::Reader& value) {
    json::read_members(value, "passed", found.tests.passed, "failed", found.tests.failed, "skipped",
                       found.tests.skipped);
  };
  json::read_members(in, "at", found.at, "event", found.event, "level", found.level, "mode", found.mode,
                     "outcome", found.outcome, "task_id", found.task_id, "dirty", found.dirty, "errors",
                     found.errors, "points", found.points, "protection", found.protection, "warnings",
                     found.warnings, "tests", tests);
  in.end();
  if (!in.ok() || found.event != event || !ms_of_iso_time(found.at)) return std::nullopt;
  return found;
}

}  // namespace

std::string_view text(RiskLevel level) { return levels[static_cast<std::size_t>(level)]; }
std::string_view text(CheckMark outcome) { return check_outcomes[static_cast<std::size_t>(outcome)]; }

CheckNote check_note(const CheckReport& report, std::string_view mode, std::string task_id) {
  return {.at_ms = now_ms(),
          .mode = std::string(mode),
          .task_id = std::move(task_id),
          .outcome = report.error_count > 0 ? CheckMark::fail : report.overall(),
          .errors = report.error_count,
          .warnings = report.warning_count,
          .tests = report.tests};
}

std::string json_line(const CheckNote& note) {
  JsonObject line = begun_line(note.at_ms, "check");
  line.add("errors", note.errors).add("mode", note.mode).add("outcome", text(note.outcome));
  if (note.tests.all() > 0)
    line.add_json("tests", JsonObject()
                               .add("failed", note.tests.failed)
                               .add("passed", note.tests.passed)
                               .add("skipped", note.tests.skipped)
                               .finish());
  return line.add("warnings", note.warnings).add_if_any("task_id", note.task_id).finish();
}

std::string json_line(const RiskNote& note) {
  return begun_line(note.at_ms, "risk")
      .add("dirty", note.dirty)
      .add("level", text(note.level))
      .add("points", note.points)
      .add("protection", note.protection)
      .add_if_any("task_id", note.task_id)
      .finish();
}

std::optional<CheckNote> parse_check_note(std::string_view line) {
  std::optional<WorkMembers> found = members_of(line, "check");
  if (!found) return std::nullopt;
  const auto outcome = std::find(check_outcomes.begin(), check_outcomes.end(), found->outcome);
  if (outcome == check_outcomes.end()) return std::nullopt;
  return CheckNote{.at_ms = *ms_of_iso_time(found->at),
                   .mode = std::move(found->mode),
                   .task_id = std::move(found->task_id),
                   .outcome = static_cast<CheckMark>(outcome - check_outcomes.begin()),
                   .errors = found->errors,
                   .warnings = found->warnings,
                   .tests = found->tests};
}

std::optional<RiskNote> parse_risk_note(std::string_view line) {
  std::optional<WorkMembers> found = members_of(line, "risk");
  if (!found) return std::nullopt;
  const auto level = std::find(levels.begin(), levels.end(), found->level);
  if (level == levels.end()) return std::nullopt;
  return RiskNote{.at_ms = *ms_of_iso_time(found->at),
                  .task_id = std::move(found->task_id),
                  .level = static_cast<RiskLevel>(level - levels.begin()),
                  .points = found->points,
                  .dirty = found->dirty,
                  .protection = found->protection};
}

}  // namespace snapgen::core
