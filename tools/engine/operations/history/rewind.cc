#include "tools/engine/operations/history/rewind.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <sys/stat.h>

#include "tools/engine/base/utc.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/history/foreign_lines.h"
#include "tools/engine/operations/history/history_query.h"
#include "tools/engine/operations/history/move_position.h"
#include "tools/engine/operations/history/take_moment.h"
#include "tools/engine/operations/restore_plan.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

std::uint32_t usual_permissions(FileMode mode) { return mode == FileMode::executable ? 0755 : 0644; }

// A recorded state as the source of a restore. `now`: the present state, for the permissions of its files.
RestoreSource source_of(const RecordedState& state, const RecordedState& now, std::int64_t at_ms,
                        std::string name) {
  auto snapshot = std::make_shared<Snapshot>();
  RestoreSource source{.snapshot = {}, .scope = {}, .privacy = {}, .is_undo = false, .name = std::move(name)};
  source.scope.folders = {""};
  source.scope.taken_ms = at_ms;
  for (const auto& [path, file] : state) {
    if (file.is_left_out()) {
      source.scope.unknown_paths.push_back(path);
      continue;
    }
    const FileMode mode = mode_of(FileStat{.mode = file.mode});
    snapshot->entries.push_back({.path = path, .blob = file.blob, .mode = mode});
    if (mode == FileMode::symlink) continue;
    const std::uint32_t permissions = file.mode & recorded_permissions;
    const auto present = now.find(path);
    const bool differs = present != now.end() && !present->second.is_left_out() &&
                         (present->second.mode & recorded_permissions) != permissions;
    if (differs || permissions != usual_permissions(mode))
      source.privacy.exact.push_back({.path = path, .mode = permissions});
  }
  source.snapshot = std::move(snapshot);
  return source;
}

// Adds what the moments after the state `number` prove about files that it does not have: the first change of
// such a file created it, or found it unrecorded.
Result<Unit> add_later_files(const Timeline& timeline, BlobStore& blobs, std::uint64_t number,
                             const RecordedState& state, RestoreSource& source) {
  std::set<std::string, std::less<>> seen;
  for (const auto& moment : timeline.moments) {
    if (moment->number <= number) continue;
    const std::vector<MomentChange> changes = TRY(changes_of(blobs, *moment));
    for (const MomentChange& change : changes) {
      if (state.contains(change.path) || !seen.insert(change.path).second) continue;
      if (change.before) {
        source.scope.unknown_paths.push_back(change.path);
      } else {
        source.created_later.insert(change.path);
      }
    }
  }
  std::ranges::sort(source.scope.unknown_paths);
  return Unit{};
}

// The files that a rewind changes, with what they will be.
std::map<std::string, LaterPart, std::less<>> parts_of_rewind(const std::vector<RestoredPath>& changes,
                                                              const RecordedState& state,
                                                              const RewindAnswer& answer) {
  std::map<std::string, LaterPart, std::less<>> parts;
  for (const RestoredPath& change : changes) {
    LaterPart& part = parts[change.path];
    part.after = answer.state_number;
    const auto restored = state.find(change.path);
    if (restored != state.end() && !restored->second.is_left_out()) part.blob = restored->second.blob;
  }
  return parts;
}

// Returns the files that a restore replaces or deletes, and whose content the present state does not have.
// While the history is paused, `now` is not the present state, and all are returned.
std::vector<std::string> unrecorded_files(const std::vector<RestoredPath>& changes, const RecordedState& now,
                                          bool is_paused) {
  std::vector<std::string> paths;
  for (const RestoredPath& change : changes) {
    if (change.kind != RestoredPath::Kind::replaced && change.kind != RestoredPath::Kind::deleted) continue;
    const auto present = now.find(change.path);
    if (is_paused || present == now.end() || present->second.is_left_out()) paths.push_back(change.path);
  }
  return paths;
}

// Adds the files that existed in the restored state, do not exist now, and have no recorded content.
void spare_left_out_files(Workspace& workspace, const RecordedState& state,
                          const std::optional<std::vector<std::string>>& paths, RestoreAnswer& restored) {
  for (const auto& [path, file] : state) {
    const auto is_at_or_above = [&](const std::string& each) { return is_at_or_below_folder(path, each); };
    if (!file.is_left_out() || (paths && std::ranges::none_of(*paths, is_at_or_above))) continue;
    const Result<FileStat> stat = workspace.root().lstat(path);
    if (!stat && stat.error().code == ErrorCode::not_found)
      restored.spared.push_back({.path = path, .reason = SparedPath::Reason::not_captured});
  }
  std::ranges::sort(restored.spared, {}, &SparedPath::path);
}

// Compares the present position with the recorded one; nullopt if one of them is unknown.
Result<std::optional<PositionMove>> plan_move(Workspace& workspace, const Timeline& timeline,
                                              std::uint64_t recorded, std::uint64_t present,
                                              const RewindQuery& query, const std::stop_token& stop) {
  if (query.git && query.paths)
    return Error(ErrorCode::invalid_argument,
                 "The position of git moves as a whole, so it cannot be combined with paths.");
  const GitPosition then = timeline.position_after(recorded);
  const GitPosition now = timeline.position_after(present);
  const bool is_known = then.is_complete() && now.is_complete();
  if (!query.git && !is_known) return std::optional<PositionMove>();
  if (!is_known)
    return Error(ErrorCode::not_found, "The history has no position of git after m" +
                                           std::to_string(recorded) + ". Rewind the files alone.");
  if (then == now) return std::optional<PositionMove>();
  Result<PositionMove> move = PositionMove::plan(workspace, then, now, stop);
  if (!move && !query.git) return std::optional<PositionMove>();
  if (!move) return std::move(move).error();
  if (query.git && !move->moved().empty()) TRY(move->check(workspace, stop));
  return std::optional<PositionMove>(*std::move(move));
}

// The folder of the references to the position after a moment, such as "m12-20261128T140321Z". The time tells
// moments of several work trees apart.
std::string saved_position_name(const Timeline& timeline, std::uint64_t number) {
  std::string time =
      iso_time(timeline.time_of(number)).substr(0, std::string_view("2026-11-28T14:03:21").size());
  std::erase_if(time, [](char byte) { return byte == '-' || byte == ':'; });
  return "m" + std::to_string(number) + "-" + time + "Z";
}

// Issues a lease for the state after HEAD has moved; none if that fails.
std::optional<LeaseState> new_lease(Workspace& workspace, const std::stop_token& stop) {
  const auto nothing = [](LiveView&) -> Result<Unit> { return Unit{}; };
  Result<WithLease<Unit>> read = read_worktree(workspace, std::nullopt, stop, nothing);
  return read ? std::optional(std::move(read->lease)) : std::nullopt;
}

}  // namespace

Result<WithLease<RewindAnswer>> rewind(Workspace& workspace, MomentTaker& taker, const RewindQuery& query,
                                       const std::stop_token& stop) {
  if (query.git && taker.log().paused_since_ms())
    return Error(
        ErrorCode::invalid_argument,
        "The history is paused, so the present position of git is not recorded. Run snap history --resume "
        "first, or rewind the files alone.");
  const auto held = taker.hold();
  const TakenMoment before = TRY(taker.take(MomentCause::before, MomentPace::normal, stop));
  const Timeline timeline = TRY(taker.log().read());
  const HistoryTarget target = TRY(find_history_target(timeline, query.target, workspace.now() / 1'000'000));
  const std::shared_ptr<const Moment> first = timeline.find(target.first);
  RewindAnswer answer;
  answer.state_number = (first ? first->first_number : target.first) - 1;
  answer.state_ms = timeline.time_of(answer.state_number);
  const RecordedState state = TRY(state_after(timeline, workspace.blobs(), answer.state_number, stop));
  const RecordedState now = TRY(state_after(timeline, workspace.blobs(), before.number, stop));
  RestoreSource source = source_of(state, now, answer.state_ms, "the state before " + target.name);
  TRY(add_later_files(timeline, workspace.blobs(), answer.state_number, state, source));
  const std::optional<PositionMove> move =
      TRY(plan_move(workspace, timeline, answer.state_number, before.number, query, stop));
  const RestoreQuery restored{.snapshot_id = {}, .paths = query.paths, .dry_run = query.dry_run};
  WithLease<RestoreAnswer> done = TRY(restore_source(workspace, source, restored, stop));
  const LaterChanges later{.timeline = timeline, .present = now, .by = LaterChanges::By::others};
  answer.foreign_lines =
      TRY(foreign_lines(workspace.blobs(), later, parts_of_rewind(done.value.changes, state, answer)));
  answer.restored = std::move(done.value);
  answer.unrecorded =
      unrecorded_files(answer.restored.changes, now, taker.log().paused_since_ms().has_value());
  spare_left_out_files(workspace, state, query.paths, answer.restored);
  if (move && !move->moved().empty())
    answer.git = {.moved = move->moved(), .unmoved = move->unmoved(), .is_moved_back = false, .failure = {}};
  if (answer.git && query.git && !query.dry_run) {
    const std::string why = "snapgen: rewind to the state after m" + std::to_string(answer.state_number);
    const Result<Unit> moved = move->run(workspace, saved_position_name(timeline, before.number), why, stop);
    if (!moved) answer.git->failure = moved.error().message;
    answer.git->is_moved_back = bool(moved);
    if (std::optional<LeaseState> lease = new_lease(workspace, stop)) done.lease = *std::move(lease);
  }
  if (!query.dry_run && (!answer.restored.changes.empty() || (answer.git && answer.git->is_moved_back))) {
    // The files are restored already, so a failure to record that is not one of the call: the next moment
    // records it.
    const Result<TakenMoment> after = taker.take(MomentCause::after, MomentPace::normal, {});
    if (after && after->number > before.number) answer.undo_with = before.number + 1;
  }
  return WithLease<RewindAnswer>{.value = std::move(answer), .lease = std::move(done.lease)};
}

}  // namespace snapgen::core
