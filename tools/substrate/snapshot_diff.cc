#include "schemas/substrate/snapshot_diff.h"

#include <array>
#include <optional>
#include <string_view>

#include "runtime/base/text.h"
#include "runtime/json/proposal.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/read/snapshot_view.h"
#include "tools/engine/text/text_encodings.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

SnapshotDiffFileStatus diff_status(const core::DiffedFile& file) {
  if (file.unmerged) return SnapshotDiffFileStatus::unmerged;
  switch (file.status) {
    case core::ChangeStatus::added: return SnapshotDiffFileStatus::added;
    case core::ChangeStatus::deleted: return SnapshotDiffFileStatus::deleted;
    case core::ChangeStatus::mode_changed: return SnapshotDiffFileStatus::mode_changed;
    case core::ChangeStatus::type_changed: return SnapshotDiffFileStatus::type_changed;
    case core::ChangeStatus::modified:
    case core::ChangeStatus::renamed: break;
  }
  return SnapshotDiffFileStatus::modified;
}

template <class Output>
void fill_diff(const core::DiffAnswer& answer, Output& out) {
  out.diff = core::text_of_bytes(answer.diff);
  for (const core::DiffedFile& file : answer.files) {
    SnapshotDiffFile& line = out.files.emplace_back();
    line.added = file.added_lines;
    line.binary = file.binary;
    line.encoding = to_schema(file.encoding);
    if (file.omitted) line.omitted = true;
    line.path = core::text_of_path(file.path);
    line.removed = file.removed_lines;
    line.status = diff_status(file);
  }
  out.skipped = to_schema(answer.skipped);
  out.truncated = answer.truncated;
}

// The older side of the diff: a snapshot if there is one, else a state of git.
struct DiffBase {
  core::GitBase base = core::GitBase::head;
  std::shared_ptr<const core::Snapshot> snapshot;
};

constexpr std::array<std::string_view, 2> named_bases = {"head", "index"};

Error not_a_base_error(const std::string& text) {
  std::string message =
      "against is " + json::quoted(json::shortened(text)) + ", but must be head, index or a snapshot id.";
  const std::optional<std::string_view> meant = nearest_name(text, named_bases);
  if (meant) message += " Did you mean " + json::quoted(*meant) + "?";
  return Error(ErrorCode::invalid_argument, std::move(message));
}

Result<DiffBase> parse_base(core::Workspace& workspace, const std::string& text) {
  DiffBase against;
  if (text == "head") return against;
  against.base = core::GitBase::index;
  if (text == "index") return against;
  if (!text.starts_with("sha256:") && !text.starts_with("snap_")) return not_a_base_error(text);
  against.snapshot = TRY(snapshots_of(workspace).load(text));
  return against;
}

Result<SnapshotDiffOutput> diff_output(App& app, const SnapshotDiffInput& in, std::size_t bytes_max,
                                       const std::stop_token& stop) {
  core::ReadSource source = TRY(read_source(in.mode, in.snapshot_id, in.lease_id));
  core::DiffQuery query{.paths = {},
                        .context = static_cast<std::uint32_t>(in.context),
                        .show_untracked = in.untracked,
                        .bytes_max = bytes_max,
                        .files_max = static_cast<std::size_t>(in.max_files)};
  if (in.paths) {
    query.paths = TRY(core::paths_of_texts(*in.paths));
  }
  core::Workspace* opened = TRY(app.workspace());
  core::Workspace& workspace = *opened;
  DiffBase against = TRY(parse_base(workspace, in.against));
  // A person may save the diff for `git apply`, which needs the bytes of the files.
  const bool converts_text = !app.is_used_by_person;
  if (in.untracked && (source.snapshot_id || against.snapshot)) {
    return Error(ErrorCode::invalid_argument,
                 "untracked applies only to a diff of the work tree with head or index. Omit it: a snapshot "
                 "contains untracked files like all others.");
  }
  if (source.snapshot_id) {
    std::shared_ptr<const core::Snapshot> snapshot = TRY(snapshots_of(workspace).load(*in.snapshot_id));
    core::SnapshotView view(snapshot, blobs_of(workspace), stop);
    core::TextEncodings encodings(view.declarations());
    if (converts_text) query.encodings = &encodings;
    core::DiffAnswer answer =
        TRY(against.snapshot ? core::diff_snapshots(workspace, *against.snapshot, *snapshot, query, stop)
                             : core::diff_snapshot_with_git(workspace, *snapshot, against.base, query, stop));
    SnapshotDiffImmutable out;
    fill_diff(answer, out);
    return SnapshotDiffOutput(std::move(out));
  }
  core::TextEncodings encodings(core::declarations_in(root_of(workspace)));
  if (converts_text) query.encodings = &encodings;
  auto read = [&](core::LiveView& view) {
    return against.snapshot ? core::diff_live_with_snapshot(workspace, *against.snapshot, view, query)
                            : core::diff_live_with_git(workspace, against.base, view, query);
  };
  auto answer = TRY(core::read_worktree(workspace, in.lease_id, stop, read));
  SnapshotDiffWorktree out;
  fill_diff(answer.value, out);
  out.fingerprint = to_schema(std::move(answer.lease.fingerprint));
  out.lease_id = std::move(answer.lease.lease_id);
  if (answer.value.omitted_untracked_files > 0) out.untracked = answer.value.omitted_untracked_files;
  return SnapshotDiffOutput(std::move(out));
}

}  // namespace

Task<SnapshotDiffOutput> snapshot_diff(App& app, mcp::Call& call, const SnapshotDiffInput& in) {
  const std::size_t bytes_max = content_bytes_max(call, in);
  auto job = [&] { return diff_output(app, in, bytes_max, call.stop()); };
  Result<SnapshotDiffOutput> outcome = co_await call.offload(job);
  log_cause(app, call, outcome);
  co_return outcome;
}

}  // namespace snapgen::tools
