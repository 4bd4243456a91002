#include "schemas/facade/snapback_snapshot_restore.h"

#include "runtime/json/writer.h"
#include "runtime/mcp/elicitation.h"
#include "schemas/facade/restore_form.h"
#include "schemas/facade/snapback_validate.h"
#include "tools/app/restore_work.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/restore.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/facade/common.h"
#include "tools/work/log/audit_line.h"
#include "tools/work/static_checks/static_checks.h"
#include "tools/work/task/restore_words.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

// Adds a hint to the error of a restore: what to do before the next call, or with which arguments to call.
Error with_restore_hint(Error error, const core::WriteRules& rules) {
  std::string_view hint;
  if (rules.permits_nothing())
    hint = "Report the error to the user.";
  else if (error.code == ErrorCode::permission_denied)
    hint = "To restore the other paths, list them in files. To restore this one, ask the user.";
  if (error.code == ErrorCode::too_large) hint = "Restore some paths at a time with files.";
  if (!hint.empty() && error.details.empty()) error.details = hint_details(hint);
  return error;
}

Result<core::RestoreAnswer> restore_files(App& app, const SnapbackSnapshotRestoreInput& in, bool dry_run,
                                          const std::stop_token& stop) {
  std::vector<std::string> paths = TRY(core::paths_of_texts(in.files));
  core::Workspace* workspace = TRY(app.workspace());
  core::RestoreQuery query{.snapshot_id = in.snapshot_id,
                           .paths = {},
                           .dry_run = dry_run,
                           .from_tree = in.from_tree,
                           .make_note = core::restore_line_maker(in.snapshot_id)};
  if (!paths.empty()) query.paths = std::move(paths);
  // An unknown snapshot is reported before restore() can return an error with a hint.
  TRY(snapshots_of(*workspace).load(in.snapshot_id));
  Result<core::RestoreAnswer> done = restore_snapshot(app, query, stop);
  if (!done) return with_restore_hint(std::move(done).error(), write_rules_of(*workspace));
  return done;
}

Result<mcp::Summarized<SnapbackSnapshotRestoreOutput>> restore_output(App& app,
                                                                      const SnapbackSnapshotRestoreInput& in,
                                                                      const core::RestoreAnswer& restored,
                                                                      const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  if (!in.dry_run && !restored.changes.empty()) note_restore(app, restored, in.snapshot_id);
  SnapbackSnapshotRestoreOutputData data;
  data.deleted = static_cast<std::int64_t>(core::deleted_paths(restored).size());
  data.dry_run = in.dry_run;
  data.safety_snapshot_id = restored.safety_snapshot_id;
  data.spared = static_cast<std::int64_t>(restored.spared.size());
  data.total = static_cast<std::int64_t>(restored.changes.size());
  data.unchanged = restored.unchanged_files;
  data.changes = listed_files(restored.changes);
  MeasuredWork now = TRY(measure_with_files(services, {}, {}, stop));
  NextActions actions(app);
  if (in.dry_run && data.total > 0)
    actions.add(SnapbackSnapshotRestoreInput{.confirm = in.confirm,
                                             .files = in.files,
                                             .from_tree = in.from_tree,
                                             .snapshot_id = in.snapshot_id},
                0.7, "Do it.");
  if (restored.safety_snapshot_id)
    actions.add(SnapbackSnapshotRestoreInput{.snapshot_id = short_snapshot_id(*restored.safety_snapshot_id)},
                0.3, "Go back to the state before this restore.", "if it was the wrong one");
  // Proposed only without an open task: with one, the mode quick checks what changed since its start, and
  // most restores return to that state.
  if (!in.dry_run && data.total > 0 && !now.task && !now.work_status.dirty.empty())
    actions.add(SnapbackValidateInput{.mode = SnapbackValidateInputMode::quick}, 0.5,
                "Check the uncommitted files.");
  std::string summary = core::restore_summary(restored, in.dry_run, in.snapshot_id);
  if (!in.dry_run) summary += core::staged_changes_sentence(services.workspace, restored, stop);
  return answer<SnapbackSnapshotRestoreOutput>(std::move(data), now.health, std::move(actions),
                                               std::move(summary));
}

// Returns the question for the user: how many files will be written, the first of them, and the files to
// delete.
std::string question(const SnapbackSnapshotRestoreInput& in, const core::RestoreAnswer& planned) {
  constexpr std::size_t named_max = 5;
  const std::vector<std::string> written = core::written_paths(planned);
  std::string text = "Restore " + count_with_noun(static_cast<std::int64_t>(written.size()), "file") +
                     " from snapshot " + in.snapshot_id + "?";
  for (std::size_t i = 0; i < std::min(written.size(), named_max); ++i)
    text += (i == 0 ? " " : ", ") + core::path_in_sentence(written[i]);
  if (written.size() > named_max) text += ", …";
  if (!written.empty()) text += ".";
  return text + core::deletions_sentence(planned, true) + " The current files are captured first.";
}

}  // namespace

Task<mcp::Summarized<SnapbackSnapshotRestoreOutput>> snapback_snapshot_restore(
    App& app, mcp::Call& call, const SnapbackSnapshotRestoreInput& in) {
  if (in.confirm && !in.dry_run) {
    auto planning = [&] { return restore_files(app, in, true, call.stop()); };
    Result<core::RestoreAnswer> looked = co_await call.offload(planning);
    core::RestoreAnswer planned = co_await looked;
    if (!planned.changes.empty()) {
      std::string text = question(in, planned);
      Task<mcp::ElicitExchange<RestoreForm>> asking = mcp::elicit<RestoreForm>(call, std::move(text));
      Result<mcp::ElicitExchange<RestoreForm>> outcome = co_await std::move(asking);
      if (!outcome && outcome.error().code == ErrorCode::unsupported)
        co_return error_with_hint(ErrorCode::unsupported, "UNSUPPORTED", std::move(outcome).error().message,
                                  "Ask the user in the conversation, then call again without confirm.");
      mcp::ElicitExchange<RestoreForm> exchange = co_await outcome;
      if (!exchange.content || !exchange.content->restore)
        co_return error_with_hint(ErrorCode::permission_denied, "DECLINED",
                                  "The user does not want this restore; nothing was changed.",
                                  "Ask the user what to do instead.");
    }
  }
  auto job = [&]() -> Result<mcp::Summarized<SnapbackSnapshotRestoreOutput>> {
    core::RestoreAnswer restored = TRY(restore_files(app, in, in.dry_run, call.stop()));
    // The restore is done and can no longer be cancelled, so the call's stop does not apply.
    return restore_output(app, in, restored, in.dry_run ? call.stop() : std::stop_token());
  };
  Result<mcp::Summarized<SnapbackSnapshotRestoreOutput>> outcome = co_await call.offload(job);
  co_return outcome;
}

}  // namespace snapgen::tools
