#include "schemas/facade/snapback_session.h"

#include <algorithm>
#include <memory>

#include "runtime/base/enum_cast.h"
#include "schemas/facade/snapback_prepare_workspace.h"
#include "schemas/facade/snapback_validate.h"
#include "tools/app/next_actions.h"
#include "tools/engine/operations/ignored_files.h"
#include "tools/engine/operations/nested_repositories.h"
#include "tools/engine/operations/status_files.h"
#include "tools/engine/operations/work_summary.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/facade/common.h"
#include "tools/insight/analysis/impact.h"
#include "tools/insight/analysis/import_graph_cache.h"
#include "tools/work/static_checks/static_checks.h"
#include "tools/work/task/begin.h"
#include "tools/work/task/end.h"
#include "tools/work/task/task_store.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

using SessionAnswer = mcp::Summarized<SnapbackSessionOutput>;

constexpr std::size_t tests_max = 20;
constexpr std::size_t patterns_max = 5;

std::int64_t count_open(const core::WorkspaceServices& services) {
  return static_cast<std::int64_t>(
      core::TaskStore(core::record_folders_of(services.workspace)).open_tasks().size());
}

void set_recalled(SnapbackSessionOutputData& data, const core::RecallAnswer& memory) {
  data.learnings = to_schema(memory.learnings);
  data.patterns.emplace();
  for (const core::ViolationCount& each : memory.patterns) {
    if (data.patterns->size() == patterns_max) break;
    SnapbackSessionOutputDataPatternsItem item;
    item.count = each.count;
    item.type = each.type;
    if (!each.prevention.empty()) item.prevention = each.prevention;
    data.patterns->push_back(std::move(item));
  }
}

void set_task(SnapbackSessionOutputData& data, const core::Task& task) {
  data.task_id = task.id;
  data.task = task.title;
  data.snapshot_id = task.snapshot_id;
}

Result<SessionAnswer> start_session(App& app, const SnapbackSessionInput& in, const std::stop_token& stop) {
  core::Task task{.title = *in.task};
  if (in.keywords) task.keywords = *in.keywords;
  task.files = TRY(core::paths_of_texts(in.files));
  core::WorkspaceServices services = TRY(app.services());
  core::Workspace& workspace = services.workspace;
  core::WorkspaceCapture captured = TRY(core::capture_start(workspace, task, stop));
  core::Task begun = TRY(core::TaskStore(core::record_folders_of(workspace)).begin_task(std::move(task)));
  app.collect_garbage_if_due(workspace);
  MeasuredWork now = TRY(measure_with_files(services, {}, {}, {}));
  SnapbackSessionOutputData data{.op = in.op};
  set_task(data, begun);
  data.reused = captured.reused;
  data.open_tasks = count_open(services);
  data.restore = name_of_restore_tool(app);
  set_recalled(data, now.work_status.recalled);
  NextActions actions(app);
  propose_restore(actions, short_snapshot_id(captured.snapshot_id), 0.2, "Go back to the start of the task.",
                  "if the work must be undone");
  if (!data.learnings->empty() || !data.patterns->empty())
    actions.add(SnapbackSessionInput{.op = SessionOp::recommendations}, 0.7,
                data.learnings->empty() ? "Violations have been promoted to patterns here."
                                        : "Learnings match this task.");
  actions.add(SnapbackValidateInput{.mode = SnapbackValidateInputMode::quick}, 0.5, "See what changed.",
              "after the first edits");
  actions.add(SnapbackSessionInput{.op = SessionOp::end, .task_id = begun.id}, 0.3,
              "Close it and record what was learned.", "when the work is done");
  std::string summary = "Session " + begun.id + " started on snapshot " +
                        short_snapshot_id(captured.snapshot_id) + ", which " + *data.restore +
                        " can restore. " + risk_sentence(now.work_status.risk) +
                        with_leading_space(missing_sentence(now.work_status)) +
                        with_leading_space(core::unprotected_sentence(now.work_status.protection)) +
                        with_leading_space(core::reminder_of(now.work_status.recalled.patterns));
  return answer<SnapbackSessionOutput>(std::move(data), now.health, std::move(actions), std::move(summary));
}

Result<SessionAnswer> recommend(App& app, const SnapbackSessionInput& in, const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  MeasuredWork now = TRY(measure_with_files(services, {}, {}, stop));
  SnapbackSessionOutputData data{.op = in.op};
  if (now.task) set_task(data, *now.task);
  data.open_tasks = count_open(services);
  set_recalled(data, now.work_status.recalled);
  data.unprotected = texts_of_paths(now.work_status.protection.uncovered);
  core::Impact impact = core::impact_of_changes(services.import_graph, now.work_status.dirty,
                                                now.task ? now.task->files : std::vector<std::string>());
  const auto tests = static_cast<std::int64_t>(impact.tests.size());
  if (impact.tests.size() > tests_max) impact.tests.resize(tests_max);
  data.tests = texts_of_paths(impact.tests);
  NextActions actions(app);
  propose_snapshot(actions, now.work_status.protection, "changed files that nothing protects", 0.8,
                   "Some changed files are neither committed nor in a snapshot.");
  if (!now.work_status.dirty.empty())
    actions.add(SnapbackValidateInput{.mode = SnapbackValidateInputMode::comprehensive}, 0.6,
                now.task ? "Check what changed since the session began." : "Files are changed: check them.");
  if (!now.task) actions.add(session_start(app, now.work_status.dirty), 0.7, "There is no session yet.");
  const auto learnings = static_cast<std::int64_t>(data.learnings->size());
  const auto patterns = static_cast<std::int64_t>(now.work_status.recalled.patterns.size());
  std::string summary =
      count_with_noun(learnings, "learning") + (learnings == 1 ? " fits; " : " fit; ") +
      count_with_noun(patterns, "promoted pattern") + "; " +
      (tests == 0 ? "no test file imports the files of the work"
                  : count_with_noun(tests, "test file") + " to run") +
      (tests > static_cast<std::int64_t>(tests_max)
           ? ", of which " + std::to_string(tests_max) + " are listed. "
           : ". ") +
      risk_sentence(now.work_status.risk) +
      with_leading_space(core::reminder_of(now.work_status.recalled.patterns)) +
      with_leading_space(core::unreadable_lines_sentence(now.work_status.recalled.unreadable_lines));
  return answer<SnapbackSessionOutput>(std::move(data), now.health, std::move(actions), std::move(summary));
}

Result<SessionAnswer> session_stats(App& app, const SnapbackSessionInput& in, const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  core::Workspace& workspace = services.workspace;
  core::Task task = TRY(core::TaskStore(core::record_folders_of(workspace)).find_open_task(in.task_id));
  SnapbackSessionOutputData data{.op = in.op};
  set_task(data, task);
  data.duration_ms = std::max<std::int64_t>(0, now_of(workspace) / 1'000'000 - task.started_ms);
  data.open_tasks = count_open(services);
  data.truncated = true;
  std::vector<std::string> unreadable, ignored;
  const core::TaskWorkspace of_task = core::workspace_of_task(workspace, task);
  Result<std::shared_ptr<const core::Snapshot>> snapshot = snapshots_of(workspace).load(task.snapshot_id);
  if (snapshot && of_task.workspace != nullptr) {
    core::WorkSummary work = TRY(core::work_summary_since(*of_task.workspace, **snapshot, stop));
    data.changed_files = static_cast<std::int64_t>(work.files.size());
    data.added_lines = work.added_lines;
    data.removed_lines = work.removed_lines;
    data.truncated = work.truncated;
    unreadable = std::move(work.unreadable);
    ignored = core::ignored_files_not_in(*of_task.workspace, **snapshot, task.files);
  }
  MeasuredWork now = TRY(measure_with_files(services, {}, {}, stop));
  NextActions actions(app);
  if (data.changed_files.value_or(0) > 0)
    actions.add(SnapbackValidateInput{.mode = SnapbackValidateInputMode::comprehensive}, 0.6,
                "Check what changed before the end.");
  actions.add(SnapbackSessionInput{.op = SessionOp::end, .task_id = task.id}, 0.4,
              "Close it and record what was learned.", "when the work is done");
  std::string summary =
      task.id + ": " +
      (data.changed_files
           ? count_with_noun(*data.changed_files, "file") + " changed (+" +
                 std::to_string(*data.added_lines) + "/-" + std::to_string(*data.removed_lines) + " lines)."
           : core::changes_uncounted_sentence(of_task)) +
      with_leading_space(of_task.sentence()) + with_leading_space(core::unreadable_sentence(unreadable)) +
      with_leading_space(core::unmerged_sentence(now.work_status.unmerged)) +
      with_leading_space(core::ignored_sentence(ignored)) +
      with_leading_space(core::nested_repositories_sentence(now.work_status.protection.nested_repositories));
  return answer<SnapbackSessionOutput>(std::move(data), now.health, std::move(actions), std::move(summary));
}

Result<SessionAnswer> end_session(App& app, const SnapbackSessionInput& in, const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  const core::TaskEnding ending{.outcome = enum_cast<core::TaskOutcome>(in.outcome),
                                .learnings = in.learnings.value_or(std::vector<std::string>()),
                                .survey = {}};
  core::EndedTask ended = TRY(core::end_task(services, in.task_id, ending, stop));
  const core::Task& task = ended.task;
  SnapbackSessionOutputData data{.op = in.op};
  set_task(data, task);
  if (task.changes) {
    data.added_lines = task.changes->added_lines;
    data.removed_lines = task.changes->removed_lines;
    data.changed_files = task.changes->file_count;
  }
  data.duration_ms = std::max<std::int64_t>(0, task.ended_ms - task.started_ms);
  data.learned = static_cast<std::int64_t>(task.learning_ids.size());
  data.open_tasks = count_open(services);
  data.outcome = enum_cast<SnapbackSessionOutputDataOutcome>(in.outcome);
  data.truncated = ended.truncated || !task.changes;
  MeasuredWork now = TRY(measure_with_files(services, {}, {}, {}));
  NextActions actions(app);
  if (task.learning_ids.empty())
    actions.add(SnapbackPrepareWorkspaceInput{}, 0.4,
                "Check the state of the workspace before the next task.");
  propose_snapshot(actions, now.work_status.protection, "the end of a session", 0.6,
                   "Some changed files are neither committed nor in a snapshot.");
  std::string summary =
      "Session " + task.id + " " + std::string(core::text(ending.outcome)) + ": " +
      (task.changes ? count_with_noun(task.changes->file_count, "file") + " changed, " : "") +
      count_with_noun(*data.learned, "learning") + " kept." + with_leading_space(ended.remarks) +
      with_leading_space(core::unreadable_sentence(ended.unreadable)) +
      with_leading_space(core::unmerged_sentence(ended.unmerged)) +
      with_leading_space(core::ignored_sentence(ended.ignored)) +
      with_leading_space(core::nested_repositories_sentence(ended.nested_repositories));
  return answer<SnapbackSessionOutput>(std::move(data), now.health, std::move(actions), std::move(summary));
}

// Adds to the error the call that helps if there is no such open task.
Error no_such_task_error(App& app, const SnapbackSessionInput& in, Error error) {
  NextActions actions(app);
  std::string hint = "Start one with op start.";
  std::vector<core::Task> open;
  std::optional<core::Task> current;
  if (Result<core::Workspace*> workspace = app.workspace()) {
    const core::TaskStore tasks(core::record_folders_of(**workspace));
    open = tasks.open_tasks();
    current = tasks.current_task();
  }
  if (in.task_id && current) {
    hint = "Omit task_id to use the task that began last.";
    actions.add(SnapbackSessionInput{.op = SessionOp::stats}, 0.8, "See the task that began last.");
  } else if (!open.empty()) {
    hint = "Pass the task_id of an open task.";
    actions.add(SnapbackSessionInput{.op = SessionOp::stats, .task_id = open.front().id}, 0.8,
                "See the task that began last.");
  } else {
    actions.add(session_start(app), 0.8, "There is no open task.");
  }
  ErrorDetails more;
  add_next_actions(more, std::move(actions).ranked());
  return error_with_hint(error.code, "NOT_FOUND", std::move(error.message), hint, more);
}

Result<SessionAnswer> run_session(App& app, const SnapbackSessionInput& in, const std::stop_token& stop) {
  if (in.op == SessionOp::start) return start_session(app, in, stop);
  if (in.op == SessionOp::recommendations) return recommend(app, in, stop);
  Result<SessionAnswer> outcome =
      in.op == SessionOp::stats ? session_stats(app, in, stop) : end_session(app, in, stop);
  if (outcome || outcome.error().code != ErrorCode::not_found) return outcome;
  return no_such_task_error(app, in, std::move(outcome).error());
}

}  // namespace

Task<mcp::Summarized<SnapbackSessionOutput>> snapback_session(App& app, mcp::Call& call,
                                                              const SnapbackSessionInput& in) {
  return run_on_pool(app, call, in, run_session);
}

}  // namespace snapgen::tools
