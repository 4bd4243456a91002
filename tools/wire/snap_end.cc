#include "schemas/wire/snap_end.h"

#include "runtime/base/enum_cast.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/operations/ignored_files.h"
#include "tools/engine/operations/nested_repositories.h"
#include "tools/engine/operations/status_files.h"
#include "tools/engine/operations/work_summary.h"
#include "tools/wire/common.h"
#include "tools/work/task/end.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

// Returns the survey as canonical JSON; the keys are written in their order.
std::string survey_json(const SnapEndInputSurvey& survey) {
  core::JsonObject out;
  const auto add = [&](std::string_view key, const std::optional<double>& value) {
    if (value) out.add_json(key, json::number_text(*value));
  };
  add("helpfulness", survey.helpfulness);
  add("patterns_used", survey.patterns_used);
  add("pitfalls_avoided", survey.pitfalls_avoided);
  add("unhelpful_count", survey.unhelpful_count);
  return out.finish();
}

std::string changes_sentence(const core::EndedTask& ended) {
  const std::optional<core::TaskChanges>& changes = ended.task.changes;
  if (!changes) return ended.remarks;
  return count_with_noun(changes->file_count, "file") + " changed (+" + std::to_string(changes->added_lines) +
         "/-" + std::to_string(changes->removed_lines) + " lines)." +
         (ended.truncated ? " Some files were too large or too many to count in full." : "") +
         core::with_leading_space(ended.remarks);
}

Result<mcp::Text> end_and_describe(App& app, const SnapEndInput& in, const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  const core::TaskEnding ending{.outcome = enum_cast<core::TaskOutcome>(in.outcome),
                                .learnings = in.learnings.value_or(std::vector<std::string>()),
                                .survey = in.survey ? survey_json(*in.survey) : std::string()};
  Result<core::EndedTask> ended = core::end_task(services, in.task_id, ending, stop);
  if (!ended && ended.error().code == ErrorCode::not_found)
    return with_failure_details(std::move(ended).error(), lines::Failure::no_task, in.compact);
  if (!ended) return std::move(ended).error();
  const core::Task& task = ended->task;
  const std::string outcome(core::text(*task.outcome));
  lines::EndLine line{.status = lines::Verdict::ok,
                      .learn = static_cast<std::int64_t>(task.learning_ids.size()),
                      .summary = shortened(task.title, 80) + " " + outcome,
                      .survey = task.survey};
  if (task.changes) {
    line.files = task.changes->file_count;
    line.lines = {.added = task.changes->added_lines, .removed = task.changes->removed_lines};
  }
  std::string summary =
      "Task ended (" + outcome + "). " + count_with_noun(line.learn, "learning") + " recorded. " +
      changes_sentence(*ended) + core::with_leading_space(core::unmerged_sentence(ended->unmerged)) +
      core::with_leading_space(core::unreadable_sentence(ended->unreadable)) +
      core::with_leading_space(core::ignored_sentence(ended->ignored)) +
      core::with_leading_space(core::nested_repositories_sentence(ended->nested_repositories));
  if (in.survey && in.survey->helpfulness)
    summary += " Helpfulness rated " + json::number_text(*in.survey->helpfulness) + "/5.";
  return answer(line, in.compact, summary);
}

Result<mcp::Text> run_end(App& app, const SnapEndInput& in, const std::stop_token& stop) {
  Result<mcp::Text> outcome = end_and_describe(app, in, stop);
  if (outcome || !outcome.error().details.empty()) return outcome;
  return with_failure_details(std::move(outcome).error(), std::nullopt, in.compact);
}

}  // namespace

Task<mcp::Text> snap_end(App& app, mcp::Call& call, const SnapEndInput& in) {
  return run_on_pool(app, call, in, run_end);
}

}  // namespace snapgen::tools
