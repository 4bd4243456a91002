#pragma once
// What the handlers of this family have in common: from generated types to the core's and back.
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "runtime/mcp/call.h"
#include "schemas/common/fingerprint.h"
#include "schemas/common/manifest_stats.h"
#include "schemas/common/read_mode.h"
#include "schemas/common/skipped.h"
#include "tools/app/app.h"
#include "tools/engine/files/path.h"
#include "tools/engine/files/paths.h"
#include "tools/engine/read/snapshot_view.h"
#include "tools/engine/store/snapshot_store.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/try_read.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::tools {

Fingerprint to_schema(core::Fingerprint fingerprint);
ManifestStats to_schema(const core::ManifestStats& stats);
Skipped to_schema(const core::Skipped& skipped);
std::vector<std::string> shown_texts(const std::vector<std::string>& lines);

// Which kind of view a call asks for. Errors: invalid_argument (a lease with a snapshot, a snapshot with the
// work tree, a snapshot without its id).
Result<ReadMode> mode_of(const std::optional<ReadMode>& mode, bool has_snapshot, bool has_lease);

// The whole of a hybrid read. `read`: Result<Answer>(core::View&). `fill(answer, out)` moves the answer's
// members into either kind of output, which have the same names.
template <class Immutable, class Worktree, class Output, class Input, class Read, class Fill>
Result<Output> answer_hybrid(App& app, const Input& in, const std::stop_token& stop, Read read, Fill fill) {
  ReadMode mode = TRY(mode_of(in.mode, in.snapshot_id.has_value(), in.lease_id.has_value()));
  core::Workspace* workspace = TRY(app.workspace());
  if (mode == ReadMode::snapshot) {
    std::shared_ptr<const core::Snapshot> snapshot = TRY(workspace->snapshots().load(*in.snapshot_id));
    core::SnapshotView view(std::move(snapshot), workspace->blobs(), stop);
    auto answer = TRY(read(view));
    Immutable out;
    fill(std::move(answer), out);
    return Output(std::move(out));
  }
  auto answer = TRY(core::read_worktree(*workspace, in.lease_id, stop, read));
  Worktree out;
  out.fingerprint = to_schema(std::move(answer.lease.fingerprint));
  out.lease_id = std::move(answer.lease.lease_id);
  fill(std::move(answer.value), out);
  return Output(std::move(out));
}

// The same for a read of the work tree that nothing has to be waited for; none otherwise. On the loop's
// thread.
template <class Worktree, class Input, class Read, class Fill>
std::optional<Worktree> try_answer(App& app, const Input& in, Read read, Fill fill) {
  if (!in.lease_id || in.snapshot_id || in.mode == ReadMode::snapshot) return std::nullopt;
  core::Workspace* const workspace = app.try_workspace();
  if (workspace == nullptr) return std::nullopt;
  auto answer = core::try_read(*workspace, *in.lease_id, read);
  if (!answer) return std::nullopt;
  Worktree out;
  out.fingerprint = to_schema(std::move(answer->lease.fingerprint));
  out.lease_id = std::move(answer->lease.lease_id);
  fill(std::move(answer->value), out);
  return out;
}

// The same for a read of a snapshot that is in memory. `is_small(view)`: it may be read on the loop's thread.
template <class Immutable, class Input, class IsSmall, class Read, class Fill>
std::optional<Immutable> answer_from_memory(App& app, const Input& in, IsSmall is_small, Read read,
                                            Fill fill) {
  if (!in.snapshot_id || in.lease_id || in.mode == ReadMode::worktree) return std::nullopt;
  core::Workspace* const workspace = app.try_workspace();
  if (workspace == nullptr) return std::nullopt;
  std::shared_ptr<const core::Snapshot> snapshot = workspace->snapshots().try_load(*in.snapshot_id);
  if (!snapshot) return std::nullopt;
  core::SnapshotView view(std::move(snapshot), workspace->blobs(), {});
  if (!is_small(view)) return std::nullopt;
  auto answer = read(view);
  if (!answer) return std::nullopt;
  Immutable out;
  fill(*std::move(answer), out);
  return out;
}

// What the client is not told goes to the log.
template <class T>
void log_cause(const App& app, const mcp::Call& call, const Result<T>& outcome) {
  if (outcome || outcome.error().cause.empty()) return;
  const Error& error = outcome.error();
  Severity severity = error.code == ErrorCode::internal ? Severity::error : Severity::info;
  app.log.write(severity, std::string(call.tool().name) + ": " + error.message + " (" + error.cause + ")");
}

}  // namespace snapgen::tools
