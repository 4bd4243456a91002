#include "schemas/substrate/snapshot_info.h"

#include "tools/engine/workspace/workspace_parts.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

Result<SnapshotInfoOutput> snapshot_info_output(App& app, const SnapshotInfoInput& in,
                                                const std::stop_token&) {
  core::Workspace* workspace = TRY(app.workspace());
  core::SnapshotStore& snapshots = snapshots_of(*workspace);
  std::shared_ptr<const core::Snapshot> snapshot = TRY(snapshots.load(in.snapshot_id));
  core::ManifestStats stats = TRY(snapshots.stats(*snapshot));
  return SnapshotInfoOutput(SnapshotDescribed{.fingerprint = to_schema(snapshot->fingerprint),
                                              .manifest_stats = to_schema(stats),
                                              .snapshot_id = snapshot->id()});
}

}  // namespace

Task<SnapshotInfoOutput> snapshot_info(App& app, mcp::Call& call, const SnapshotInfoInput& in) {
  return offload_and_log(app, call, in, snapshot_info_output);
}

}  // namespace snapgen::tools
