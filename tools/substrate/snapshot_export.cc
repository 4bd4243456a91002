#include "schemas/substrate/snapshot_export.h"

#include "runtime/base/text.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/operations/export/export.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

template <class Output>
Result<Output> export_output(const core::ExportSource& files, const core::Fingerprint& fingerprint,
                             const SnapshotExportInput& in, const std::stop_token& stop) {
  auto bytes_max = static_cast<std::uint64_t>(in.max_bytes);
  bool as_tar = in.format == SnapshotExportInputFormat::tar;
  std::string bytes = TRY(as_tar ? core::tar_of(files, bytes_max, stop)
                                 : core::bundle_of(files, fingerprint, bytes_max, stop));
  Output out;
  out.format = as_tar ? ExportFormat::tar : ExportFormat::bundle;
  out.bundle_sha256 = core::sha256_hex(bytes);
  out.bundle.text =
      as_tar ? "\"" + std::string(core::base64_prefix) + base64(bytes) + "\"" : std::move(bytes);
  return out;
}

Result<SnapshotExportOutput> export_files(App& app, const SnapshotExportInput& in,
                                          const std::stop_token& stop) {
  core::ReadSource source = TRY(read_source(in.mode, in.snapshot_id, in.lease_id));
  std::vector<std::string> paths = TRY(core::paths_of_texts(in.paths));
  core::PathScope scope(std::move(paths));
  core::Workspace* opened = TRY(app.workspace());
  core::Workspace& workspace = *opened;
  if (source.snapshot_id) {
    std::shared_ptr<const core::Snapshot> snapshot = TRY(snapshots_of(workspace).load(*in.snapshot_id));
    core::ExportSource files = TRY(core::export_source(workspace, *snapshot, scope));
    SnapshotExportImmutable out =
        TRY(export_output<SnapshotExportImmutable>(files, snapshot->fingerprint, in, stop));
    return SnapshotExportOutput(std::move(out));
  }
  auto read = [&](core::LiveView& view) {
    return core::read_for_export(workspace, view, scope, static_cast<std::uint64_t>(in.max_bytes));
  };
  auto answer = TRY(core::read_worktree(workspace, in.lease_id, stop, read));
  SnapshotExportWorktree out = TRY(export_output<SnapshotExportWorktree>(answer.value.export_source(),
                                                                         answer.lease.fingerprint, in, stop));
  out.fingerprint = to_schema(std::move(answer.lease.fingerprint));
  out.lease_id = std::move(answer.lease.lease_id);
  out.skipped = to_schema(answer.value.skipped);
  return SnapshotExportOutput(std::move(out));
}

}  // namespace

Task<SnapshotExportOutput> snapshot_export(App& app, mcp::Call& call, const SnapshotExportInput& in) {
  return offload_and_log(app, call, in, export_files);
}

}  // namespace snapgen::tools
