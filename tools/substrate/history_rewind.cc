#include "schemas/substrate/history_rewind.h"

#include <utility>

#include "runtime/base/enum_cast.h"
#include "tools/app/restore_work.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/operations/history/rewind.h"
#include "tools/substrate/common.h"
#include "tools/substrate/history.h"

namespace snapgen::tools {
namespace {

void fill_spared(const std::vector<core::SparedPath>& spared, HistoryRewound& out) {
  if (spared.empty()) return;
  std::vector<HistoryRewindSpared>& listed = out.spared.emplace();
  for (const core::SparedPath& each : spared) {
    if (listed.size() == listed_files_max) break;
    listed.push_back(
        {.path = core::text_of_path(each.path), .reason = enum_cast<HistoryRewindSparedReason>(each.reason)});
  }
  out.spared_count = total_if_more(static_cast<std::int64_t>(spared.size()), listed.size());
}

void fill_unrecorded(const std::vector<std::string>& paths, HistoryRewound& out) {
  if (paths.empty()) return;
  std::vector<std::string>& listed = out.unrecorded.emplace();
  for (const std::string& path : paths)
    if (listed.size() < listed_files_max) listed.push_back(core::text_of_path(path));
}

void fill_foreign_lines(const std::vector<core::ForeignLines>& foreign, HistoryRewound& out) {
  if (foreign.empty()) return;
  std::vector<HistoryRewindForeign>& listed = out.foreign_lines.emplace();
  for (const core::ForeignLines& each : foreign)
    listed.push_back(
        {.by = each.author, .lines = to_schema(each.lines), .path = core::text_of_path(each.path)});
}

HistoryRewindGit to_git_schema(core::RewoundPosition position) {
  HistoryRewindGit out{.moved = std::move(position.moved), .moved_back = position.is_moved_back};
  if (!position.failure.empty()) out.failure = std::move(position.failure);
  if (!position.unmoved.empty()) out.unmoved = std::move(position.unmoved);
  return out;
}

Result<HistoryRewindOutput> rewind_input(App& app, const HistoryRewindInput& in,
                                         const std::stop_token& stop) {
  core::RewindQuery query{.target = in.target, .paths = {}, .dry_run = in.dry_run, .git = in.git};
  if (in.paths) {
    query.paths = TRY(core::paths_of_texts(*in.paths));
  }
  core::Workspace* workspace = TRY(app.workspace());
  core::MomentTaker* taker = TRY(app.history());
  core::WithLease<core::RewindAnswer> done = TRY(core::rewind(*workspace, *taker, query, stop));
  const core::RewindAnswer& answer = done.value;
  if (!in.dry_run) {
    std::optional<core::UndoSnapshot> undo;
    if (answer.restored.safety_snapshot_id) undo = {.snapshot_id = *answer.restored.safety_snapshot_id};
    audit_changed_files(app, "rewind", replaced_paths(answer.restored.changes), undo);
  }
  HistoryRewound out;
  out.changes = listed_files(answer.restored.changes);
  out.change_count =
      total_if_more(static_cast<std::int64_t>(answer.restored.changes.size()), out.changes.size());
  fill_spared(answer.restored.spared, out);
  fill_foreign_lines(answer.foreign_lines, out);
  fill_unrecorded(answer.unrecorded, out);
  if (done.value.git) out.git = to_git_schema(*std::move(done.value.git));
  out.state = {.at = core::iso_time(answer.state_ms), .moment = moment_id(answer.state_number)};
  out.undo_snapshot_id = answer.restored.safety_snapshot_id;
  out.undo_with = moment_id(answer.undo_with);
  out.fingerprint = to_schema(std::move(done.lease.fingerprint));
  out.lease_id = std::move(done.lease.lease_id);
  return HistoryRewindOutput(std::move(out));
}

}  // namespace

Task<HistoryRewindOutput> history_rewind(App& app, mcp::Call& call, const HistoryRewindInput& in) {
  return offload_and_log(app, call, in, rewind_input);
}

}  // namespace snapgen::tools
