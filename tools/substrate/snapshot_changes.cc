#include "schemas/substrate/snapshot_changes.h"

#include "tools/engine/base/encoding.h"
#include "tools/engine/operations/diff/changes.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

SnapshotChangeStatus snapshot_change_status(core::ChangeStatus status) {
  switch (status) {
    case core::ChangeStatus::added: return SnapshotChangeStatus::added;
    case core::ChangeStatus::deleted: return SnapshotChangeStatus::deleted;
    case core::ChangeStatus::modified: return SnapshotChangeStatus::modified;
    case core::ChangeStatus::mode_changed: return SnapshotChangeStatus::mode_changed;
    case core::ChangeStatus::renamed: return SnapshotChangeStatus::renamed;
    case core::ChangeStatus::type_changed: return SnapshotChangeStatus::type_changed;
  }
  return SnapshotChangeStatus::modified;
}

template <class Output>
void fill_changes(const core::ChangesAnswer& answer, Output& out) {
  for (const core::FileChange& change : answer.changes) {
    SnapshotChange& line = out.changes.emplace_back();
    line.path = core::text_of_path(change.path);
    line.status = snapshot_change_status(change.status);
    if (!change.renamed_from.empty()) line.from = core::text_of_path(change.renamed_from);
  }
  out.total = answer.total;
  out.truncated = static_cast<std::size_t>(answer.total) > answer.changes.size();
}

// Here `against` determines the default mode. In other tools snapshot_id does, but here that is always the
// older side.
Result<ReadMode> mode_for(const SnapshotChangesInput& in) {
  ReadMode mode = in.mode.value_or(in.against ? ReadMode::snapshot : ReadMode::worktree);
  if (mode == ReadMode::snapshot && !in.against) {
    return Error(ErrorCode::invalid_argument,
                 "The mode snapshot compares two snapshots. Pass the second one as against, or omit mode.");
  }
  if (mode == ReadMode::worktree && in.against) {
    return Error(ErrorCode::invalid_argument,
                 "The mode worktree compares with the work tree. Omit against or mode.");
  }
  if (mode == ReadMode::snapshot && in.lease_id) {
    return Error(ErrorCode::invalid_argument,
                 "Snapshots never change and have no lease. Omit lease_id or against.");
  }
  return mode;
}

Result<SnapshotChangesOutput> compare_states(App& app, const SnapshotChangesInput& in,
                                             const std::stop_token& stop) {
  ReadMode mode = TRY(mode_for(in));
  core::ChangesQuery query{.paths = {},
                           .detect_renames = in.detect_renames,
                           .changes_max = static_cast<std::size_t>(in.max_changes)};
  if (in.paths) {
    query.paths = TRY(core::paths_of_texts(*in.paths));
  }
  core::Workspace* workspace = TRY(app.workspace());
  core::SnapshotStore& snapshots = snapshots_of(*workspace);
  std::shared_ptr<const core::Snapshot> before = TRY(snapshots.load(in.snapshot_id));
  if (mode == ReadMode::snapshot) {
    std::shared_ptr<const core::Snapshot> after = TRY(snapshots.load(*in.against));
    core::ChangesAnswer answer = TRY(core::changes_between(*workspace, *before, *after, query, stop));
    SnapshotChangesImmutable out;
    out.skipped = to_schema(answer.skipped);
    fill_changes(answer, out);
    return SnapshotChangesOutput(std::move(out));
  }
  auto read = [&](core::LiveView& view) { return core::changes_since(*workspace, *before, view, query); };
  auto answer = TRY(core::read_worktree(*workspace, in.lease_id, stop, read));
  SnapshotChangesWorktree out;
  out.fingerprint = to_schema(std::move(answer.lease.fingerprint));
  out.lease_id = std::move(answer.lease.lease_id);
  out.skipped = to_schema(answer.value.skipped);
  fill_changes(answer.value, out);
  return SnapshotChangesOutput(std::move(out));
}

}  // namespace

Task<SnapshotChangesOutput> snapshot_changes(App& app, mcp::Call& call, const SnapshotChangesInput& in) {
  return offload_and_log(app, call, in, compare_states);
}

}  // namespace snapgen::tools
