#include "tools/app/violation_work.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "runtime/base/ascii.h"
#include "tools/app/wire_failure.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/insight/pattern/detect.h"
#include "tools/work/memory/memory.h"
#include "tools/work/task/task_store.h"

namespace snapgen::tools {
namespace {

lines::Promotion promotion_of(std::int64_t count) {
  if (count < core::promotion_count_min) return lines::Promotion::no;
  return count == core::promotion_count_min ? lines::Promotion::promoted : lines::Promotion::pattern;
}

// If `type` differs from a type that checks detect only in case or punctuation, returns a sentence that names
// that type; else empty.
std::string spelling_advice(const std::string& type) {
  std::string usual;
  for (const char c : type) usual += is_alphanumeric(c) ? to_lower(c) : '_';
  if (usual == type || !core::has_detector(usual)) return {};
  return " Checks can detect " + usual + ": report it under this name.";
}

// Returns the status of a violation whose type no check can detect.
std::string reminder_status(std::int64_t count) {
  if (count >= core::promotion_count_min)
    return std::string(count == core::promotion_count_min ? "Promoted to a reminder" : "It is a reminder") +
           " that task starts and the checks quick, patterns and all show; no check can detect it.";
  return "Stored; promoted to a reminder at " + std::to_string(core::promotion_count_min) + ".";
}

std::string pattern_status(std::int64_t count) {
  if (count >= core::automation_count_min)
    return "It is a pattern that the checks quick, patterns and all report as an error from now on.";
  if (count > core::promotion_count_min) return "It is a pattern that task starts show.";
  if (count == core::promotion_count_min) return "Promoted to pattern—will appear in future task starts.";
  return "Stored; promoted to a pattern at " + std::to_string(core::promotion_count_min) + ".";
}

Result<ViolationAnswer> record_and_format(App& app, const SnapViolationInput& in) {
  core::Workspace* workspace = TRY(app.workspace());
  core::LearningStore* memory = TRY(app.learning_store());
  core::Violation violation{.type = in.type,
                            .description = in.description,
                            .prevention = in.prevention.value_or(""),
                            .task_id = in.task_id.value_or(""),
                            .at_ms = now_of(*workspace) / 1'000'000};
  std::string missing;
  if (in.file && !in.file->empty()) {
    std::string path = TRY(core::path_from_text(*in.file));
    violation.file = core::text_of_path(path);
    const Result<core::FileStat> stat = root_of(*workspace).lstat(path);
    // A missing file is not an error, because it may have been deleted or renamed after the violation.
    if (!stat && stat.error().code == ErrorCode::not_found)
      missing = " " + core::path_in_sentence(path) + " does not exist; correct the path if it was mistyped.";
  }
  if (in.task_id) {
    Result<core::Task> task = core::TaskStore(core::record_folders_of(*workspace)).find_open_task(in.task_id);
    if (!task) return with_failure_details(std::move(task).error(), lines::Failure::no_task, in.compact);
  }
  std::int64_t count = TRY(memory->record(violation));
  const bool is_checked = core::has_detector(in.type);
  const lines::ViolationLine line{.status = lines::Verdict::ok,
                                  .type = in.type,
                                  .count = count,
                                  .promote = promotion_of(count),
                                  .auto_ = is_checked && count >= core::automation_count_min
                                               ? lines::Automation::yes
                                               : lines::Automation::no};
  return ViolationAnswer{.line = line,
                         .summary = "Violation '" + in.type + "' seen " +
                                    core::count_with_noun(count, "time") + ". " +
                                    (is_checked ? pattern_status(count) : reminder_status(count)) +
                                    spelling_advice(in.type) + missing};
}

}  // namespace

Result<ViolationAnswer> record_violation(App& app, const SnapViolationInput& in) {
  Result<ViolationAnswer> outcome = record_and_format(app, in);
  if (outcome) return outcome;
  return with_failure_details(std::move(outcome).error(), std::nullopt, in.compact);
}

}  // namespace snapgen::tools
