#include "schemas/wire/snap.h"

#include "runtime/base/enum_cast.h"
#include "tools/app/check_answer.h"
#include "tools/app/check_work.h"
#include "tools/app/work_notes.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/status_files.h"
#include "tools/insight/pattern/detect.h"
#include "tools/wire/common.h"
#include "tools/work/memory/memory.h"
#include "tools/work/static_checks/static_checks.h"
#include "tools/work/task/begin.h"
#include "tools/work/task/task_store.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t pattern_names_bytes_max = 80;

void log_risk(App& app, const core::WorkStatus& work_status, std::string task_id) {
  note_risk(app, {.task_id = std::move(task_id),
                  .level = work_status.risk.level,
                  .points = work_status.risk.points,
                  .dirty = work_status.dirty_count(),
                  .protection = work_status.protection.percent()});
}

// For example "2 promoted patterns are checked: any_type, todo_left. "; empty if there are none.
std::string promoted_words(const std::vector<core::ViolationCount>& patterns) {
  std::int64_t checked = 0;
  std::string names;
  for (const core::ViolationCount& each : patterns)
    if (core::has_detector(each.type)) names += (checked++ == 0 ? "" : ", ") + each.type;
  if (checked == 0) return {};
  return count_with_noun(checked, "promoted pattern") + (checked == 1 ? " is checked: " : " are checked: ") +
         shortened(names, pattern_names_bytes_max) + ". ";
}

// Returns a sentence with the files that do not exist, and a blank after it; empty if there are none.
std::string sentence_of_missing(const core::WorkStatus& work_status) {
  const std::string text = core::missing_sentence(work_status);
  return text.empty() ? text : shortened(text, 140) + " ";
}

// Returns a sentence about recorded lines that are not understood, and a blank after it; empty if there are
// none.
std::string sentence_of_unreadable_lines(const core::WorkStatus& work_status) {
  const std::string text = core::unreadable_lines_sentence(work_status.recalled.unreadable_lines);
  return text.empty() ? text : text + " ";
}

Result<mcp::Text> run_start(App& app, const SnapInput& in, const std::stop_token& stop) {
  core::Task task{.title = in.task.value_or("")};
  if (task.title.find_first_not_of(" \t\r\n") == std::string::npos)
    return Error(ErrorCode::invalid_argument, "task must not be blank. Describe the work in a few words.");
  if (in.keywords) task.keywords = *in.keywords;
  task.files = TRY(core::paths_of_texts(in.files));
  core::Workspace* opened = TRY(app.workspace());
  core::Workspace& workspace = *opened;
  core::WorkspaceCapture captured = TRY(core::capture_start(workspace, task, stop));
  core::WorkStatus measured = TRY(work_status_of(app, task, stop));
  core::Task begun = TRY(core::TaskStore(core::record_folders_of(workspace)).begin_task(task));
  app.collect_garbage_if_due(workspace);
  log_risk(app, measured, begun.id);

  const RecalledText recalled = to_schema(app, measured.recalled);
  const lines::StartLine line{.id = begun.id,
                              .snap = short_snapshot_id(task.snapshot_id),
                              .risk = enum_cast<lines::Risk>(measured.risk.level),
                              .prot = measured.protection.percent(),
                              .dirty = measured.dirty_count(),
                              .status = captured.reused ? lines::Capture::reused : lines::Capture::created,
                              .learn = recalled.shown};
  std::string summary = "Task started." + core::with_leading_space(recalled.sentence) + " ";
  summary += sentence_of_unreadable_lines(measured) + promoted_words(measured.recalled.patterns);
  summary += short_risk_sentence(measured.risk) + " ";
  summary += sentence_of_missing(measured);
  summary += measured.dirty.empty() ? "Nothing is uncommitted."
                                    : count_with_noun(measured.dirty_count(), "file") + " uncommitted.";
  summary += core::with_leading_space(core::unmerged_sentence(measured.unmerged));
  const std::string unprotected = core::unprotected_sentence(measured.protection);
  if (!unprotected.empty()) summary += " " + unprotected;
  return answer(line, in.compact, summary + recalled.lines);
}

Result<mcp::Text> run_context(App& app, const SnapInput& in, const std::stop_token& stop) {
  core::Workspace* opened = TRY(app.workspace());
  std::vector<std::string> files = TRY(core::paths_of_texts(in.files));
  const core::TaskStore store(core::record_folders_of(*opened));
  const std::vector<core::Task> all = store.open_tasks();
  const std::optional<core::Task> current = store.current_task();
  core::Task task = current.value_or(core::Task());
  if (in.task) task.title += " " + *in.task;
  task.files.insert(task.files.end(), files.begin(), files.end());
  if (in.keywords) task.keywords.insert(task.keywords.end(), in.keywords->begin(), in.keywords->end());
  core::WorkStatus measured = TRY(work_status_of(app, task, stop));

  log_risk(app, measured, current ? current->id : std::string());
  const RecalledText recalled = to_schema(app, measured.recalled);
  const lines::ContextLine line{.risk = enum_cast<lines::Risk>(measured.risk.level),
                                .prot = measured.protection.percent(),
                                .dirty = measured.dirty_count(),
                                .learn = recalled.shown};
  std::string summary = "Current context: ";
  if (all.empty())
    summary += "no open task." + store.unreadable_sentence() + " ";
  else if (!current)
    summary += "this session began none of the open tasks " + core::names_of_tasks(all) + ". ";
  else
    summary += "task " + current->id + " (" + shortened(current->title, 60) + ")" +
               (all.size() > 1 ? ", and " + std::to_string(all.size() - 1) + " more open. " : ". ");
  summary += short_risk_sentence(measured.risk) + " " + sentence_of_missing(measured) +
             count_with_noun(measured.dirty_count(), "file") + " uncommitted, " + std::to_string(line.prot) +
             "% protected.";
  summary += core::with_leading_space(core::unreadable_lines_sentence(measured.recalled.unreadable_lines));
  return answer(line, in.compact, summary + core::with_leading_space(recalled.sentence) + recalled.lines);
}

Result<mcp::Text> run_check(App& app, const SnapInput& in, const std::stop_token& stop) {
  CheckRequest request = to_check_request({.mode = CheckInputMode::quick});
  request.files = in.files;
  CheckedWork checked = TRY(check_statically(app, request, stop));
  const CheckAnswer made = format_check_answer(checked, {}, mode_of(in.compact));
  return answer(made.line, in.compact, made.summary);
}

Result<mcp::Text> run_mode(App& app, const SnapInput& in, const std::stop_token& stop) {
  Result<mcp::Text> outcome = in.mode == SnapInputMode::start   ? run_start(app, in, stop)
                              : in.mode == SnapInputMode::check ? run_check(app, in, stop)
                                                                : run_context(app, in, stop);
  if (outcome) return outcome;
  return with_failure_details(std::move(outcome).error(), std::nullopt, in.compact);
}

}  // namespace

Task<mcp::Text> snap(App& app, mcp::Call& call, const SnapInput& in) {
  return run_on_pool(app, call, in, run_mode);
}

}  // namespace snapgen::tools
