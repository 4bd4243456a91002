#include "schemas/substrate/snapshot_create.h"

#include "tools/engine/operations/capture.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

Result<SnapshotCreateOutput> create_and_describe(App& app, const SnapshotCreateInput& in,
                                                 const std::stop_token& stop) {
  core::CreateSnapshotQuery query{.lease_id = in.lease_id, .paths = {}, .message = in.message.value_or("")};
  if (in.paths) {
    query.paths = TRY(core::paths_of_texts(*in.paths));
  }
  core::Workspace* workspace = TRY(app.workspace());
  const core::CreatedSnapshot created = TRY(core::create_snapshot(*workspace, query, stop));
  SnapshotCreated out{.fingerprint = to_schema(created.fingerprint),
                      .manifest_stats = to_schema(created.stats),
                      .skipped = to_schema(created.skipped),
                      .snapshot_id = created.id()};
  app.collect_garbage_if_due(*workspace);
  return SnapshotCreateOutput(std::move(out));
}

}  // namespace

Task<SnapshotCreateOutput> snapshot_create(App& app, mcp::Call& call, const SnapshotCreateInput& in) {
  return offload_and_log(app, call, in, create_and_describe);
}

}  // namespace snapgen::tools
