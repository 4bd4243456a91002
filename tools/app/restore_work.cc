#include "tools/app/restore_work.h"

#include <optional>
#include <utility>
#include <vector>

#include "tools/app/run_on_pool.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/history/foreign_lines.h"
#include "tools/engine/operations/history/take_moment.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/work/log/audit_line.h"
#include "tools/work/task/end.h"
#include "tools/work/task/restore_words.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t restored_bytes_max = 160;  // Maximum length of the paths in the wire line.

// Returns a path for the wire line; "-" before it marks a deleted file.
std::string marked_path(const core::RestoredPath& each) {
  const std::string path = core::text_of_path(each.path);
  if (each.kind == core::RestoredPath::Kind::deleted) return "-" + path;
  return path.starts_with('-') ? "./" + path : path;
}

Result<RestoredWork> restore_from(App& app, const RestoreRequest& request, const std::stop_token& stop) {
  core::Workspace* workspace = TRY(app.workspace());
  std::shared_ptr<const core::Snapshot> snapshot = TRY(load_snapshot(*workspace, request.id));
  const core::RestoreQuery query{.snapshot_id = snapshot->id(),
                                 .paths = request.paths,
                                 .dry_run = request.dry_run,
                                 .from_tree = request.from_tree,
                                 .from_tree_argument = request.from_tree_argument,
                                 .make_note = core::restore_line_maker(snapshot->alias())};
  RestoredWork work{.alias = snapshot->alias(), .restored = TRY(restore_snapshot(app, query, stop))};
  work.omitted_sentence = core::omitted_from_snapshot_sentence(*workspace, *snapshot, {});
  if (request.dry_run) return work;
  note_restore(app, work.restored, snapshot->alias());
  work.staged_changes_sentence = core::staged_changes_sentence(*workspace, work.restored, {});
  return work;
}

}  // namespace

Result<std::shared_ptr<const core::Snapshot>> load_snapshot(core::Workspace& workspace,
                                                            const std::string& id) {
  Result<std::shared_ptr<const core::Snapshot>> snapshot = snapshots_of(workspace).load(id);
  if (snapshot) return snapshot;
  Error error = std::move(snapshot).error();
  // A malformed id is reported as a snapshot that does not exist.
  if (error.code == ErrorCode::not_found || error.code == ErrorCode::invalid_argument)
    error.family_code = lines::text(lines::Failure::snapshot_not_found);
  return error;
}

Result<core::RestoreAnswer> restore_snapshot(App& app, const core::RestoreQuery& query,
                                             const std::stop_token& stop) {
  core::Workspace* workspace = TRY(app.workspace());
  const Result<core::MomentTaker*> taker = app.history();
  // Only what is recorded can be named, also what changed just before.
  const Result<core::TakenMoment> before =
      taker ? (*taker)->take(core::MomentCause::before, core::MomentPace::normal, stop)
            : Result<core::TakenMoment>(taker.error());
  core::WithLease<core::RestoreAnswer> done = TRY(core::restore(*workspace, query, stop));
  if (!before) return std::move(done.value);
  const Result<std::shared_ptr<const core::Snapshot>> snapshot =
      snapshots_of(*workspace).load(query.snapshot_id);
  const Result<core::Timeline> timeline = (*taker)->log().read();
  if (!snapshot || !timeline) return std::move(done.value);
  // The restore is done, so a failure here is not one of the call.
  Result<std::vector<core::ForeignLines>> foreign = core::foreign_lines_of_restore(
      *workspace, *timeline, before->number, **snapshot, done.value.changes, {});
  if (foreign) done.value.foreign_lines = *std::move(foreign);
  return std::move(done.value);
}

Task<RestoredWork> restore_work(App& app, mcp::Call& call, const RestoreRequest& request) {
  return run_on_pool(app, call, request, restore_from);
}

RestoreText format_restore(const RestoredWork& done, bool dry_run, std::size_t named_min) {
  const std::vector<core::RestoredPath> changes = core::changes_deletions_first(done.restored);
  RestoreText text;
  text.line.status = lines::Verdict::ok;
  text.line.files = static_cast<std::int64_t>(changes.size());
  std::size_t bytes = 0;
  for (const core::RestoredPath& each : changes) {
    const std::string name = marked_path(each);
    bytes += name.size();
    if (bytes <= restored_bytes_max || text.line.restored.size() < named_min)
      text.line.restored.push_back(name);
  }
  std::optional<std::size_t> listed;
  if (text.line.restored.size() < changes.size()) listed = text.line.restored.size();
  text.summary = core::restore_summary(done.restored, dry_run, "snapshot " + done.alias, listed) +
                 done.staged_changes_sentence + core::with_leading_space(done.omitted_sentence);
  return text;
}

RestoredFile restored_file(const std::string& path, core::RestoredPath::Kind kind) {
  const auto kind_in_answers = [kind] {
    switch (kind) {
      case core::RestoredPath::Kind::created: return RestoredFileKind::created;
      case core::RestoredPath::Kind::replaced: return RestoredFileKind::replaced;
      case core::RestoredPath::Kind::mode_changed: return RestoredFileKind::mode;
      case core::RestoredPath::Kind::deleted: break;
    }
    return RestoredFileKind::deleted;
  };
  return {.kind = kind_in_answers(), .path = core::text_of_path(path)};
}

void note_restore(App& app, const core::RestoreAnswer& restored, const std::string& id) {
  Result<core::WorkspaceServices> services = app.services();
  Result<Unit> noted =
      services ? core::record_restore(*services, restored, id) : Result<Unit>(std::move(services).error());
  if (!noted) app.log.write(Severity::warning, "The restore was not recorded: " + noted.error().message);
}

}  // namespace snapgen::tools
