#include "schemas/facade/snapback_snapshot_create.h"

#include "tools/engine/operations/capture.h"
#include "tools/engine/operations/create.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/facade/common.h"
#include "tools/work/static_checks/static_checks.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

struct MadeSnapshot {
  SnapbackSnapshotCreateOutputData data;
  bool reason_kept = true;
};

// Returns how many paths could not be captured.
std::int64_t left_out(const core::SkippedCounts& skipped) {
  return skipped.too_large + skipped.unreadable + skipped.not_a_file + skipped.nested_repository;
}

Result<MadeSnapshot> capture_all(core::Workspace& workspace, const std::string& reason,
                                 const std::stop_token& stop) {
  core::WorkspaceCapture captured = TRY(core::capture_workspace(workspace, reason, stop));
  MadeSnapshot made;
  SnapbackSnapshotCreateOutputData& data = made.data;
  data.snapshot_id = captured.snapshot_id;
  data.alias = short_snapshot(data.snapshot_id);
  data.reused = captured.reused;
  if (!captured.reused) data.skipped = left_out(captured.skipped);
  const std::string_view hex = std::string_view(data.snapshot_id).substr(data.snapshot_id.find(':') + 1);
  if (std::optional<core::SnapshotNote> note = workspace.snapshots().note(std::string(hex))) {
    data.files = note->stats.files;
    data.bytes = note->stats.bytes;
    made.reason_kept = reason.empty() || note->message == reason;
  }
  return made;
}

Result<MadeSnapshot> capture_paths(core::Workspace& workspace, std::vector<std::string> paths,
                                   const std::string& reason, const std::stop_token& stop) {
  const core::CreateQuery query{.lease_id = {}, .paths = std::move(paths), .message = reason};
  core::CreatedSnapshot created = TRY(core::create_snapshot(workspace, query, stop));
  MadeSnapshot made;
  SnapbackSnapshotCreateOutputData& data = made.data;
  data.snapshot_id = created.id();
  data.alias = created.alias();
  data.files = created.stats.files;
  data.bytes = created.stats.bytes;
  data.skipped = left_out(created.skipped);
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
  app.sweep_if_due(services.workspace);
  MeasuredWork now = TRY(measure_with_files(services, {}, {}, {}));
  NextActions actions(app);
  actions.add("snapback.snapshot_restore", "{\"dry_run\":true,\"snapshot_id\":\"" + data.alias + "\"}", 0.3,
              "See what restoring this state would change.", "after something went wrong");
  actions.add("snapback.snapshot_list", "{\"limit\":5}", 0.2, "See the latest snapshots.");
  std::string summary = (data.reused ? "Nothing changed since snapshot " : "Snapshot ") + data.alias +
                        (data.reused ? "." : " taken.");
  if (data.files) summary += " It contains " + counted(*data.files, "file") + ".";
  if (data.skipped.value_or(0) > 0)
    summary += " " + counted(*data.skipped, "path") + " could not be captured.";
  if (paths.empty()) summary += with_leading_space(core::nested_sentence(now.work_status.protection.nested));
  if (!made.reason_kept) summary += " It keeps its reason; the new reason was not stored.";
  return answer<SnapbackSnapshotCreateOutput>(std::move(data), now.health, std::move(actions),
                                              std::move(summary));
}

}  // namespace

Task<mcp::Summarized<SnapbackSnapshotCreateOutput>> snapback_snapshot_create(
    App& app, mcp::Call& call, const SnapbackSnapshotCreateInput& in) {
  auto job = [&] { return create_described(app, in, call.stop()); };
  Result<mcp::Summarized<SnapbackSnapshotCreateOutput>> outcome = co_await call.offload(job);
  co_return outcome;
}

}  // namespace snapgen::tools
