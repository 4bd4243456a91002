#include "schemas/facade/snapback_snapshot_create.h"

#include "runtime/base/text.h"
#include "schemas/facade/snapback_snapshot_list.h"
#include "schemas/facade/snapback_snapshot_restore.h"
#include "tools/engine/base/redact.h"
#include "tools/engine/operations/capture.h"
#include "tools/engine/operations/nested_repositories.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/facade/common.h"
#include "tools/work/static_checks/static_checks.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

struct MadeSnapshot {
  SnapbackSnapshotCreateOutputData data;
  std::string skipped_sentence;
  bool is_reason_stored = true;
};

void set_skipped(MadeSnapshot& made, const core::SkippedCounts& skipped) {
  made.data.skipped = skipped.too_large + skipped.unreadable + skipped.not_a_file + skipped.nested_repository;
  std::vector<std::string> reasons;
  const auto add = [&](std::int64_t count, std::string_view reason) {
    if (count > 0) reasons.push_back(std::to_string(count) + " " + std::string(reason));
  };
  add(skipped.too_large, "too large");
  add(skipped.unreadable, "not readable");
  add(skipped.not_a_file, "neither a file nor a folder");
  add(skipped.nested_repository, "in another repository");
  if (!reasons.empty())
    made.skipped_sentence = count_with_noun(*made.data.skipped, "path") +
                            " could not be captured: " + enumerated(reasons, "and") + ".";
}

// Sets what the store has noted of the snapshot.
void set_note(MadeSnapshot& made, core::Workspace& workspace, const std::string& hex,
              const std::string& reason) {
  const std::optional<core::SnapshotNote> note = snapshots_of(workspace).note(hex);
  if (!note) return;
  made.data.files = note->stats.file_count;
  made.data.bytes = note->stats.bytes;
  made.is_reason_stored = note->message.find(core::redact(reason)) != std::string::npos;
}

Result<MadeSnapshot> capture_all(core::Workspace& workspace, const std::string& reason,
                                 const std::stop_token& stop) {
  core::WorkspaceCapture captured = TRY(core::capture_workspace(workspace, reason, stop));
  MadeSnapshot made;
  SnapbackSnapshotCreateOutputData& data = made.data;
  data.snapshot_id = captured.snapshot_id;
  data.alias = short_snapshot_id(data.snapshot_id);
  set_skipped(made, captured.skipped);
  set_note(made, workspace, data.snapshot_id.substr(data.snapshot_id.find(':') + 1), reason);
  data.reused = captured.reused;
  return made;
}

Result<MadeSnapshot> capture_paths(core::Workspace& workspace, std::vector<std::string> paths,
                                   const std::string& reason, const std::stop_token& stop) {
  const core::CreateSnapshotQuery query{.lease_id = {}, .paths = std::move(paths), .message = reason};
  core::CreatedSnapshot created = TRY(core::create_snapshot(workspace, query, stop));
  MadeSnapshot made;
  SnapbackSnapshotCreateOutputData& data = made.data;
  data.snapshot_id = created.id();
  data.alias = created.alias();
  set_skipped(made, created.skipped);
  set_note(made, workspace, created.hex, reason);
  data.reused = created.existed;
  return made;
}

Result<mcp::Summarized<SnapbackSnapshotCreateOutput>> create_described(App& app,
                                                                       const SnapbackSnapshotCreateInput& in,
                                                                       const std::stop_token& stop) {
  std::vector<std::string> paths = TRY(core::paths_of_texts(in.files));
  core::WorkspaceServices services = TRY(app.services());
  const std::string reason = in.reason.value_or("");
  MadeSnapshot made = TRY(paths.empty() ? capture_all(services.workspace, reason, stop)
                                        : capture_paths(services.workspace, paths, reason, stop));
  SnapbackSnapshotCreateOutputData& data = made.data;
  app.collect_garbage_if_due(services.workspace);
  MeasuredWork now = TRY(measure_with_files(services, {}, {}, {}));
  NextActions actions(app);
  actions.add(SnapbackSnapshotRestoreInput{.dry_run = true, .snapshot_id = data.alias}, 0.3,
              "See what restoring this state would change.", "after something went wrong");
  actions.add(SnapbackSnapshotListInput{.limit = 5}, 0.2, "See the latest snapshots.");
  const std::string captured = paths.empty() ? "The workspace is" : "These files are";
  std::string summary = data.reused ? captured + " as in snapshot " + data.alias + ", so none was added."
                                    : "Snapshot " + data.alias + " taken.";
  if (data.files) summary += " It contains " + count_with_noun(*data.files, "file") + ".";
  summary += with_leading_space(made.skipped_sentence);
  if (paths.empty())
    summary += with_leading_space(
        core::nested_repositories_sentence(now.work_status.protection.nested_repositories));
  if (!made.is_reason_stored) summary += " It keeps its reason; the new reason was not stored.";
  return answer<SnapbackSnapshotCreateOutput>(std::move(data), now.health, std::move(actions),
                                              std::move(summary));
}

}  // namespace

Task<mcp::Summarized<SnapbackSnapshotCreateOutput>> snapback_snapshot_create(
    App& app, mcp::Call& call, const SnapbackSnapshotCreateInput& in) {
  return run_on_pool(app, call, in, create_described);
}

}  // namespace snapgen::tools
