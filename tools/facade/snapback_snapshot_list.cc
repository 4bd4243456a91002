#include "schemas/facade/snapback_snapshot_list.h"

#include "tools/engine/workspace/workspace.h"
#include "tools/facade/common.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

Result<mcp::Summarized<SnapbackSnapshotListOutput>> list_described(App& app,
                                                                   const SnapbackSnapshotListInput& in,
                                                                   const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  std::vector<core::SnapshotNote> notes = TRY(services.workspace.snapshots().list());
  SnapbackSnapshotListOutputData data;
  for (const core::SnapshotNote& each : notes) {
    if (in.contains && each.message.find(*in.contains) == std::string::npos) continue;
    ++data.total;
    if (static_cast<std::int64_t>(data.snapshots.size()) == in.limit) continue;
    data.snapshots.push_back({.alias = short_snapshot(each.hex),
                              .bytes = each.stats.bytes,
                              .created_at = core::iso_time(each.latest_ms),
                              .files = each.stats.files,
                              .message = each.message,
                              .snapshot_id = "sha256:" + each.hex});
  }
  Measured now = TRY(measured(services, {}, {}, stop));
  NextActions actions(app);
  if (notes.empty())
    actions.add("snapback.snapshot_create", "{}", 0.8, "There is no snapshot to restore yet.");
  else if (data.snapshots.empty())
    actions.add("snapback.snapshot_list", "{}", 0.8, "No snapshot has that reason. List all of them.");
  else
    actions.add("snapback.snapshot_restore",
                "{\"dry_run\":true,\"snapshot_id\":\"" + data.snapshots.front().alias + "\"}", 0.4,
                "See what restoring the latest would change.");
  std::string summary = counted(data.total, "snapshot") + (in.contains ? " with that reason." : " kept.");
  if (static_cast<std::int64_t>(data.snapshots.size()) < data.total)
    summary += " The latest " + std::to_string(data.snapshots.size()) + " are shown.";
  const std::string others =
      notes.empty() ? services.workspace.snapshots().where_others_are() : std::string();
  if (!others.empty()) summary += " " + others;
  return answer<SnapbackSnapshotListOutput>(std::move(data), now.health, std::move(actions),
                                            std::move(summary));
}

}  // namespace

Task<mcp::Summarized<SnapbackSnapshotListOutput>> snapback_snapshot_list(
    App& app, mcp::Call& call, const SnapbackSnapshotListInput& in) {
  auto job = [&] { return list_described(app, in, call.stop()); };
  Result<mcp::Summarized<SnapbackSnapshotListOutput>> outcome = co_await call.offload(job);
  co_return outcome;
}

}  // namespace snapgen::tools
