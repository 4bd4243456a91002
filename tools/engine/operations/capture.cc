#include "tools/engine/operations/capture.h"

#include <memory>
#include <optional>
#include <utility>

#include "tools/engine/operations/capture_attempt.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr int capture_tries_max = 3;
// The last snapshot is reused up to this age. Afterwards a new one is taken, whose date shows that it is
// still needed.
constexpr std::int64_t reused_ms_max = 24LL * 3600 * 1000;

// Returns the last snapshot that capture_workspace() took in this process, if the watch proves that it is
// still the present state. The status does not prove it: git can be configured to omit changed files,
// untracked files, folders and modes.
std::optional<WorkspaceCapture> unchanged_snapshot(Workspace& workspace, const std::stop_token& stop) {
  if (!workspace.live_tree().verified_ns()) return std::nullopt;  // Without a watch this would walk the tree.
  const Result<StatusAndLiveFiles> live = workspace.status_and_files(stop);
  if (!live || !live->files.moment) return std::nullopt;
  const std::optional<LastWholeSnapshot::Capture> last =
      workspace.last_whole_snapshot().find(live->files.files);
  if (!last) return std::nullopt;
  const std::optional<SnapshotNote> note = workspace.snapshots().note(last->hex);
  if (!note || note->latest_ms + reused_ms_max < workspace.now() / 1'000'000) return std::nullopt;
  const Result<SnapshotHeader> head = workspace.snapshots().read_header(last->hex);
  if (!head || head->fingerprint != live->status->fingerprint) return std::nullopt;
  return WorkspaceCapture{.snapshot_id = "sha256:" + last->hex, .reused = true, .skipped = last->skipped};
}

}  // namespace

Result<CreatedSnapshot> create_snapshot(Workspace& workspace, const CreateSnapshotQuery& query,
                                        const std::stop_token& stop) {
  if (!query.lease_id && !query.paths) {
    return Error(ErrorCode::invalid_argument,
                 "Pass paths ([\".\"] for all files), or a lease_id to capture the files read under it.");
  }
  std::shared_ptr<Lease> lease;
  if (query.lease_id) {
    lease = TRY(workspace.leases().use(*query.lease_id));
  }
  TRY(workspace.prepare_store());
  const LiveTree::WatchDelay hold(workspace.live_tree());
  for (int tries = 1;; ++tries) {
    Result<CreatedSnapshot> created = attempt_capture(workspace, query, lease.get(), stop);
    if (created) return created;
    workspace.blobs().abandon_puts();
    if (created.error().code != ErrorCode::repo_changed || tries == capture_tries_max) return created;
  }
}

Result<WorkspaceCapture> capture_workspace(Workspace& workspace, const std::string& message,
                                           const std::stop_token& stop) {
  if (std::optional<WorkspaceCapture> unchanged = unchanged_snapshot(workspace, stop))
    return *std::move(unchanged);
  CreateSnapshotQuery query{.lease_id = {},
                            .paths = std::vector<std::string>{""},
                            .message = message,
                            .prefers_earlier_message = true};
  CreatedSnapshot created = TRY(create_snapshot(workspace, query, stop));
  const std::string hex = created.hex;
  workspace.last_whole_snapshot().set({.hex = hex, .skipped = created.skipped}, created.files);
  return WorkspaceCapture{.snapshot_id = created.id(), .reused = created.existed, .skipped = created.skipped};
}

}  // namespace snapgen::core
