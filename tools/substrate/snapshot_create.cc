#include "schemas/substrate/snapshot_create.h"

#include "tools/engine/operations/create.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

// A capture of more files than this returns its memory to the system when it is done.
constexpr std::int64_t many_files = 10'000;

Result<SnapshotCreateOutput> create_snapshot(App& app, const SnapshotCreateInput& in,
                                             const std::stop_token& stop) {
  core::CreateQuery query{.lease_id = in.lease_id, .paths = {}, .message = in.message.value_or("")};
  if (in.paths) {
    query.paths = TRY(core::paths_of_texts(*in.paths));
  }
  core::Workspace* workspace = TRY(app.workspace());
  Result<core::CreatedSnapshot> created = core::create_snapshot(*workspace, query, stop);
  if (!created) return std::move(created).error();
  SnapshotCreated out{.fingerprint = to_schema(created->fingerprint),
                      .manifest_stats = to_schema(created->stats),
                      .skipped = to_schema(created->skipped),
                      .snapshot_id = created->id()};
  created = core::CreatedSnapshot();
  if (out.manifest_stats.files > many_files) (workspace)->release_memory();
  app.sweep_if_due(*workspace);
  return SnapshotCreateOutput(std::move(out));
}

}  // namespace

Task<SnapshotCreateOutput> snapshot_create(App& app, mcp::Call& call, const SnapshotCreateInput& in) {
  auto job = [&] { return create_snapshot(app, in, call.stop()); };
  Result<SnapshotCreateOutput> outcome = co_await call.offload(job);
  log_cause(app, call, outcome);
  co_return outcome;
}

}  // namespace snapgen::tools
